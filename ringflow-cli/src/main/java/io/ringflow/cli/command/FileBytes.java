package io.ringflow.cli.command;

import io.ringflow.core.DataFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Reads files whole, for work that needs all their bytes in memory. */
final class FileBytes {
  /** What fits in an array. */
  static final long MAX = Integer.MAX_VALUE - 8;

  private FileBytes() {}

  /**
   * Returns all bytes of a file.
   *
   * @throws DataFormatException if it is no file, or larger than an array can be
   */
  static byte[] read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new DataFormatException(file, "is a folder, not a file");
    }
    if (!Files.exists(file)) {
      throw new DataFormatException(file, "no such file");
    }
    long size = Files.size(file);
    if (size > MAX) {
      throw new DataFormatException(
          file,
          String.format(
              Locale.ROOT,
              "has %,d bytes, but a file may have at most %,d (2 GB): split it",
              size,
              MAX));
    }
    return Files.readAllBytes(file);
  }
}
