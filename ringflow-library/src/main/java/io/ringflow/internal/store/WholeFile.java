package io.ringflow.internal.store;

import io.ringflow.core.DataFormatException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes a large file as a stream, so that it is there whole or not at all. */
public final class WholeFile {
  /** Writes a file's bytes, and returns a result, such as their number. */
  @FunctionalInterface
  public interface Body<T> {
    T writeTo(OutputStream out) throws IOException;
  }

  private WholeFile() {}

  /** Writes beside the file, then moves into place. A failure leaves everything as it was. */
  public static <T> T write(Path file, Body<T> body) throws IOException {
    Path absolute = file.toAbsolutePath();
    if (Files.isDirectory(absolute)) {
      throw new DataFormatException(file, "is a folder, not a file");
    }
    Path folder = absolute.getParent();
    if (!Files.isDirectory(folder)) {
      throw new DataFormatException(folder, "no such folder");
    }
    List<T> result = new ArrayList<>(1);
    AtomicFiles.replace(
        absolute,
        channel -> {
          var out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
          result.add(body.writeTo(out));
          out.flush();
        });
    return result.get(0);
  }
}
