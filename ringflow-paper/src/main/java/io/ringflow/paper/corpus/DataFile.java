package io.ringflow.paper.corpus;

import io.ringflow.core.DataFormatException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files of corpora: checked before they are read, and written whole or not at all. */
final class DataFile {
  private DataFile() {}

  /** Writes the bytes of a file. */
  @FunctionalInterface
  interface Body<T> {
    T writeTo(OutputStream out) throws IOException;
  }

  /** Refuses what is not there, and a folder or pipe. */
  static Path require(Path file) throws DataFormatException {
    if (!Files.isRegularFile(file)) {
      throw new DataFormatException(
          file,
          Files.isDirectory(file)
              ? "is a folder, not a file"
              : Files.exists(file) ? "is not a regular file" : "no such file");
    }
    return file;
  }

  /** Writes beside the file, then moves into place; a failure leaves everything as it was. */
  static <T> T write(Path file, Body<T> body) throws IOException {
    Path absolute = file.toAbsolutePath();
    if (Files.isDirectory(absolute)) {
      throw new DataFormatException(file, "is a folder, not a file");
    }
    if (!Files.isDirectory(absolute.getParent())) {
      throw new DataFormatException(absolute.getParent(), "no such folder");
    }
    Path part = absolute.resolveSibling("." + absolute.getFileName() + ".part");
    try {
      T result;
      try (var out = new BufferedOutputStream(Files.newOutputStream(part), 1 << 16)) {
        result = body.writeTo(out);
      }
      Files.move(
          part, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return result;
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
