package io.ringflow.cli.command;

import io.ringflow.cli.report.KeptRun;
import io.ringflow.cli.report.LineChartPicture;
import io.ringflow.cli.report.Picture;
import io.ringflow.cli.report.ResultsPage;
import io.ringflow.cli.report.RunFolder;
import io.ringflow.cli.report.SpreadSeeds;
import io.ringflow.paper.experiment.LayersChart;
import io.ringflow.paper.experiment.PaperTables;
import io.ringflow.paper.experiment.PassesFrontier;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.ResultsFile;
import io.ringflow.paper.harness.StoppedRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringflow results RUN...}: one Markdown page of the results of several runs. */
@Command(
    name = "results",
    description = {
      "Print the results of earlier runs as Markdown: the paper's tables with ours in them, what was"
          + " added, and every measurement.",
      ""
    },
    customSynopsis = "ringflow results [OPTIONS] RUN...",
    sortOptions = false,
    footer = {
      "",
      "Runs may hold parts of one experiment. Where two have the same row, it is taken whole from one: first",
      "from seeds above 9, on which no setting was chosen, then from a run with --full, then from the later",
      "date, then from the one named last. Runs that were stopped, or quick, are left out.",
      "",
      "In a summary, ${EXPERIMENT|SETTING|MODEL|METRIC|PART} stands for a figure of the runs; the parts are",
      "mean, worst, lowest, floor, above (the floor), worst-above, paper, seconds and seeds.",
      "",
      "Examples:",
      "  ringflow results runs/xor runs/ring > results.md",
      "  ringflow results --only fullrank runs/*/"
    })
final class ResultsCommand extends ToolCommand {
  @Parameters(
      paramLabel = "RUN",
      arity = "1..*",
      description = "Run folders, as 'reproduce' leaves them: results.json and run.json are read.")
  private List<Path> folders;

  @Option(
      names = "--summary",
      paramLabel = "FILE",
      description = "A text to begin with, whose figures are filled in from the runs.")
  private Path summary;

  @Option(
      names = "--only",
      paramLabel = "EXPERIMENT",
      description = "Only the table of this experiment, in the paper's shape where it has one.")
  private String only;

  @Option(
      names = "--pictures",
      paramLabel = "DIR",
      description =
          "Instead draw into a folder what likelihood costs in layers, in passes of the network and in"
              + " time, of all text models in these runs, finished trainings of runs that were stopped"
              + " included.")
  private Path pictures;

  @Override
  public Integer call() throws IOException {
    if (pictures != null) {
      draw(out());
      return CommandLine.ExitCode.OK;
    }
    if (only != null && summary != null) {
      throw usage("--only prints one table; leave out --summary");
    }
    ResultsPage page = new ResultsPage(PaperTables.all(), finished());
    out()
        .print(
            only == null
                ? page.markdown(summary)
                : page.markdown(only)
                    .orElseThrow(
                        () -> new IllegalArgumentException("none of these runs is of " + only)));
    out().flush();
    return CommandLine.ExitCode.OK;
  }

  /** The runs that count; tells which do not. */
  private List<KeptRun> finished() throws IOException {
    List<KeptRun> runs = new ArrayList<>();
    for (Path folder : folders) {
      if (!Files.isDirectory(folder)) {
        throw new IllegalArgumentException("there is no run folder " + folder);
      }
      if (!KeptRun.isFinished(folder)) {
        leftOut(folder, "it holds no finished run");
        continue;
      }
      KeptRun run = KeptRun.read(folder);
      if (run.isQuick()) {
        leftOut(folder, "a quick run has no results of the experiment");
      } else {
        runs.add(run);
      }
    }
    if (runs.isEmpty()) {
      throw new IllegalArgumentException(
          "none of these folders holds the results of a finished run");
    }
    return SpreadSeeds.joined(runs);
  }

  private void leftOut(Path folder, String reason) {
    err().println("ringflow: left out " + folder + ": " + reason);
    err().flush();
  }

  private void draw(PrintWriter screen) throws IOException {
    List<Result> results = new ArrayList<>();
    for (Path folder : folders) {
      results.addAll(
          Files.exists(folder.resolve(ResultsFile.NAME))
              ? ResultsFile.read(folder.resolve(ResultsFile.NAME))
              : StoppedRun.results(folder));
    }
    List<Picture> drawn =
        Stream.concat(PassesFrontier.of(results).stream(), LayersChart.of(results).stream())
            .<Picture>map(LineChartPicture::new)
            .toList();
    if (drawn.isEmpty()) {
      throw new IllegalArgumentException("none of these runs has models of text to draw");
    }
    RunFolder.pictures(drawn, pictures);
    screen.println(drawn.size() + " pictures in " + pictures);
    screen.flush();
  }
}
