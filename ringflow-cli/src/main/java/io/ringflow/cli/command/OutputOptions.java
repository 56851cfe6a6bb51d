package io.ringflow.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Where a command writes what it was asked for: the screen, or a file that is there whole. */
final class OutputOptions {
  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Write to a file, in UTF-8, instead of the screen. In a team of processes each writes a part,"
              + " such as FILE-00002-of-00004.csv for FILE.csv.")
  private Path file;

  @Option(names = "--overwrite", description = "Replace the file of --out if it is there.")
  private boolean overwrite;

  /** Whether a file takes it, which other programs will read. */
  boolean toFile() {
    return file != null;
  }

  /**
   * Refuses a file that can't be written, before any long work.
   *
   * @param part of the output that this process writes
   */
  void check(IndependentWork part, CommandSpec spec) throws IOException {
    if (file != null) {
      OutputFile.require(part.of(file), overwrite);
    } else if (!part.isAll()) {
      throw new ParameterException(
          spec.commandLine(), "in a team of processes --out is needed: each writes its part");
    }
  }

  /** Writes beside the file and moves into place, or to the screen. */
  void write(IndependentWork part, PrintWriter screen, OutputFile.Body body) throws IOException {
    if (file == null) {
      body.writeTo(screen);
      screen.flush();
      return;
    }
    OutputFile.write(part.of(file), body);
  }
}
