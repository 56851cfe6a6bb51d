package io.ringflow.cli.command;

import io.ringflow.core.DataFormatException;
import io.ringflow.internal.store.AtomicFiles;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that commands write: never over what is there unasked, and whole or not at all. */
final class OutputFile {
  /** Writes a text. */
  @FunctionalInterface
  interface Body {
    void writeTo(Writer out) throws IOException;
  }

  private OutputFile() {}

  /**
   * Refuses a file that can't be written, before any long work.
   *
   * @param overwrite whether one that is there may be replaced
   */
  static void require(Path file, boolean overwrite) throws IOException {
    if (Files.isDirectory(file)) {
      throw new DataFormatException(file, "is a folder, not a file");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder)) {
      throw new DataFormatException(folder, "no such folder");
    }
    requireFree(file, overwrite);
  }

  /** Refuses what is there already, be it file or folder. */
  static void requireFree(Path path, boolean overwrite) throws FileAlreadyExistsException {
    if (Files.exists(path) && !overwrite) {
      throw new FileAlreadyExistsException(
          path.toString(), null, "is there already; --overwrite replaces it");
    }
  }

  /** Writes a text in UTF-8, beside the file, and moves it into place. */
  static void write(Path file, Body body) throws IOException {
    AtomicFiles.replace(
        file,
        channel -> {
          Writer out =
              new BufferedWriter(Channels.newWriter(channel, StandardCharsets.UTF_8), 1 << 16);
          body.writeTo(out);
          out.flush();
        });
  }
}
