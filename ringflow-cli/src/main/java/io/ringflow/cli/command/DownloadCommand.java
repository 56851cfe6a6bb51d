package io.ringflow.cli.command;

import io.ringflow.paper.corpus.Text8;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ringflow download}: gets a corpus that its author lets everybody have. */
@Command(
    name = "download",
    description = {"Get a corpus from its author's site and check that it is the right one.", ""},
    sortOptions = false,
    footer = {
      "",
      "Corpora:",
      "  text8   100 million characters of Wikipedia in 27 symbols (31 MB, unpacked 100 MB)",
      "",
      "Example:",
      "  ringflow download text8 --to data"
    })
public final class DownloadCommand implements Callable<Integer> {
  private static final String TEXT8 = "text8";

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "CORPUS", description = "Which one; see below.")
  private String corpus;

  @Option(
      names = "--to",
      paramLabel = "DIR",
      defaultValue = "data",
      description = "The folder to put it in; made if needed (default: ${DEFAULT-VALUE}).")
  private Path folder;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!corpus.equals(TEXT8)) {
      throw new ParameterException(
          spec.commandLine(), "no such corpus: " + corpus + "; there is: " + TEXT8);
    }
    PrintWriter err = spec.commandLine().getErr();
    Path file =
        Text8.download(
            folder,
            news -> {
              err.println(news);
              err.flush();
            });
    spec.commandLine().getOut().println(file);
    return CommandLine.ExitCode.OK;
  }
}
