package io.ringflow.cli;

import io.ringflow.data.CorpusException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Reads files whole, for work that needs all their bytes in memory. */
final class FileBytes {
  /** What fits in an array. */
  private static final long MOST = Integer.MAX_VALUE - 8;

  private FileBytes() {}

  /**
   * Returns all bytes of a file.
   *
   * @throws CorpusException if it is no file, or larger than an array can be
   */
  static byte[] read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new CorpusException(file, "is a folder, not a file");
    }
    if (!Files.exists(file)) {
      throw new CorpusException(file, "no such file");
    }
    long size = Files.size(file);
    if (size > MOST) {
      throw new CorpusException(
          file,
          String.format(
              Locale.ROOT,
              "has %,d bytes, but a file may have at most %,d (2 GB): split it",
              size,
              MOST));
    }
    return Files.readAllBytes(file);
  }
}
