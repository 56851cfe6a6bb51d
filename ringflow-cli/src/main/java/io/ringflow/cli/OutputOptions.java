package io.ringflow.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a command writes what it was asked for: the screen, or a file that is there whole. */
final class OutputOptions {
  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write to a file, in UTF-8, instead of the screen.")
  private Path file;

  @Option(names = "--overwrite", description = "Replace the file of --out if it is there.")
  private boolean overwrite;

  /** Whether a file takes it, which other programs will read. */
  boolean toFile() {
    return file != null;
  }

  /** Refuses a file that can't be written, before any long work. */
  void check() throws IOException {
    if (file != null) {
      OutputFile.require(file, overwrite);
    }
  }

  /** Writes beside the file and moves into place, or to the screen. */
  void write(PrintWriter screen, OutputFile.Body body) throws IOException {
    if (file == null) {
      body.writeTo(screen);
      screen.flush();
      return;
    }
    OutputFile.write(file, body);
  }
}
