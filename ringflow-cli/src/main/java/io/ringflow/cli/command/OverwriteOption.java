package io.ringflow.cli.command;

import io.ringflow.core.DataFormatException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option {@code --overwrite}, the same for every command that writes a file or folder. */
final class OverwriteOption {
  @Option(
      names = {"-f", "--force", "--overwrite"},
      description = "Replace what is there already.")
  private boolean overwrite;

  /** Whether the user wants what is there to be replaced. */
  boolean isChosen() {
    return overwrite;
  }

  /** Refuses a file that can't be written, before any long work. */
  void requireWritable(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new DataFormatException(file, "is a folder, not a file");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder)) {
      throw new DataFormatException(folder, "no such folder");
    }
    requireFree(file);
  }

  /** Refuses what is there already, be it file or folder, unless the user lets it be replaced. */
  void requireFree(Path path) throws FileAlreadyExistsException {
    if (Files.exists(path) && !overwrite) {
      throw new FileAlreadyExistsException(
          path.toString(), null, "is there already; --overwrite replaces it");
    }
  }
}
