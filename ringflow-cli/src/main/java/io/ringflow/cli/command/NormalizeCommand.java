package io.ringflow.cli.command;

import io.ringflow.paper.corpus.Text8Normalizer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
public final class NormalizeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "IN", description = "The text, in UTF-8 or ASCII.")
  private Path in;

  @Parameters(index = "1", paramLabel = "OUT", description = "Where the normalized text goes.")
  private Path out;

  @Option(names = "--force", description = "Replace OUT if it is there.")
  private boolean force;

  @Override
  public Integer call() throws IOException {
    if (Files.exists(out) && !force) {
      throw new FileAlreadyExistsException(
          out.toString(), null, "is there already; --force replaces it");
    }
    Text8Normalizer.Counts counts = Text8Normalizer.normalize(in, out);
    PrintWriter screen = spec.commandLine().getOut();
    screen.printf(
        Locale.ROOT,
        "%,d characters went in, %,d came out: %s%n",
        counts.read(),
        counts.written(),
        out);
    return CommandLine.ExitCode.OK;
  }
}
