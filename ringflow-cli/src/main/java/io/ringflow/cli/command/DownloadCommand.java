package io.ringflow.cli.command;

import io.ringflow.paper.corpus.Text8;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
      "  ringflow download text8 --out data"
    })
final class DownloadCommand extends ToolCommand {
  private static final String TEXT8 = "text8";

  @Parameters(paramLabel = "CORPUS", description = "Which one; see below.")
  private String corpus;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "data",
      description = "The folder to put it in; made if needed (default: ${DEFAULT-VALUE}).")
  private Path folder;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!corpus.equals(TEXT8)) {
      throw usage("no such corpus: " + corpus + "; there is: " + TEXT8);
    }
    Path file =
        Text8.download(
            folder,
            news -> {
              err().println(news);
              err().flush();
            });
    out().println(file);
    return CommandLine.ExitCode.OK;
  }
}
