package io.ringflow.data;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/** Writes a large file so that it is there whole or not at all. */
final class WholeFile {
  /** Writes a file's bytes, and says something of them. */
  @FunctionalInterface
  interface Body<T> {
    T writeTo(OutputStream out) throws IOException;
  }

  private WholeFile() {}

  /** Writes beside the file, then moves into place. A failure leaves everything as it was. */
  static <T> T write(Path file, Body<T> body) throws IOException {
    Path absolute = file.toAbsolutePath();
    if (Files.isDirectory(absolute)) {
      throw new CorpusException(file, "is a folder, not a file");
    }
    Path folder = absolute.getParent();
    if (!Files.isDirectory(folder)) {
      throw new CorpusException(folder, "no such folder");
    }
    String suffix = Long.toHexString(ThreadLocalRandom.current().nextLong());
    Path temporary = folder.resolve("." + absolute.getFileName() + ".tmp-" + suffix);
    try {
      T said;
      try (OutputStream out =
          new BufferedOutputStream(
              Files.newOutputStream(temporary, StandardOpenOption.CREATE_NEW), 1 << 16)) {
        said = body.writeTo(out);
      }
      Files.move(temporary, absolute, StandardCopyOption.ATOMIC_MOVE);
      return said;
    } catch (IOException | RuntimeException | Error e) {
      try {
        Files.deleteIfExists(temporary);
      } catch (IOException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
  }
}
