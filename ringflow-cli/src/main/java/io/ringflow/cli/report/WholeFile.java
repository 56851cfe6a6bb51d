package io.ringflow.cli.report;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Writes a file beside its final name and then moves it there: whoever looks sees the old file or
 * the new one, never half of one.
 */
public final class WholeFile {
  private static final int BUFFER = 1 << 16;

  /** Writes a file's bytes. */
  @FunctionalInterface
  public interface Body {
    /**
     * Writes all of them.
     *
     * @param out borrowed
     */
    void writeTo(OutputStream out) throws IOException;
  }

  private WholeFile() {}

  /** Writes a file, or replaces the one that is there. */
  public static void write(Path file, Body body) throws IOException {
    Path part = part(file);
    try {
      try (FileChannel channel =
          FileChannel.open(
              part,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        var out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
        body.writeTo(out);
        out.flush();
        channel.force(true);
      }
      complete(file);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Where a file stands while it is being written. */
  static Path part(Path file) {
    return file.resolveSibling(file.getFileName() + ".part");
  }

  /** Moves what has been written to its final name. */
  static void complete(Path file) throws IOException {
    Files.move(
        part(file), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
