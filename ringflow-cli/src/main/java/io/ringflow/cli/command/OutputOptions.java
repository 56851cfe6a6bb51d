package io.ringflow.cli.command;

import io.ringflow.cli.report.WholeFile;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where a command writes what it was asked for: the screen, or a file that is there whole. */
final class OutputOptions {
  /** Writes a text. */
  @FunctionalInterface
  interface Body {
    void writeTo(Writer out) throws IOException;
  }

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Write to a file, in UTF-8, instead of the screen. In a process group each process writes"
              + " a part, such as FILE-00002-of-00004.csv for FILE.csv.")
  private Path file;

  @Mixin private OverwriteOption overwrite;

  /** Whether a file takes it, which other programs will read. */
  boolean toFile() {
    return file != null;
  }

  /**
   * Refuses a file that can't be written, before any long work.
   *
   * @param part of the output that this process writes
   */
  void check(IndependentWork part, ToolCommand command) throws IOException {
    if (file != null) {
      overwrite.requireWritable(part.of(file));
    } else if (!part.isAll()) {
      throw command.usage("in a process group --out is needed: each process writes its part");
    }
  }

  /** Writes the file whole, or to the screen. */
  void write(IndependentWork part, PrintWriter screen, Body body) throws IOException {
    if (file == null) {
      body.writeTo(screen);
      screen.flush();
    } else {
      writeText(part.of(file), body);
    }
  }

  /** Writes a file in UTF-8, whole or not at all. */
  static void writeText(Path file, Body body) throws IOException {
    WholeFile.write(
        file,
        out -> {
          Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
          body.writeTo(text);
          text.flush();
        });
  }
}
