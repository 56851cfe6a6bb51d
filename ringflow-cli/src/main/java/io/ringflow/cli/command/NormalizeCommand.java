package io.ringflow.cli.command;

import io.ringflow.paper.corpus.Text8Normalizer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ringflow normalize}: brings a text into the 27 symbols of text8. */
@Command(
    name = "normalize",
    description = {
      "Bring a text into the 27 symbols of text8: a to z and the space.",
      "Capitals become small, digits become words, all else becomes space, and runs of spaces one.",
      ""
    },
    sortOptions = false,
    footer = {"", "Example:", "  ringflow normalize novel.txt novel27.txt"})
final class NormalizeCommand extends ToolCommand {
  @Parameters(index = "0", paramLabel = "IN", description = "The text, in UTF-8 or ASCII.")
  private Path in;

  @Parameters(index = "1", paramLabel = "OUT", description = "Where the normalized text goes.")
  private Path out;

  @Mixin private OverwriteOption overwrite;

  @Override
  public Integer call() throws IOException {
    overwrite.requireFree(out);
    Text8Normalizer.Counts counts = Text8Normalizer.normalize(in, out);
    out()
        .printf(
            Locale.ROOT,
            "%,d characters went in, %,d came out: %s%n",
            counts.read(),
            counts.written(),
            out);
    return CommandLine.ExitCode.OK;
  }
}
