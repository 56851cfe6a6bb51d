package io.ringflow.cli.command;

import io.ringflow.cli.report.LineChartPicture;
import io.ringflow.cli.report.OutcomeTables;
import io.ringflow.cli.report.Picture;
import io.ringflow.cli.report.RunFolder;
import io.ringflow.cli.report.RunInfo;
import io.ringflow.cli.report.TextTable;
import io.ringflow.paper.experiment.PassesFrontier;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.PaperBelowFloor;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.ResultsFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringflow results RUN...}: one Markdown page of the results of several runs. */
@Command(
    name = "results",
    description = "Print the results of earlier runs as Markdown.",
    footer = {"", "Example:", "  ringflow results runs/xor runs/ring > results.md"})
final class ResultsCommand extends ToolCommand {
  @Parameters(
      paramLabel = "RUN",
      arity = "1..*",
      description =
          "Run folders, as 'reproduce' leaves them: results.json and run.json are read, or the finished"
              + " trials of a run that was stopped.")
  private List<Path> folders;

  @Option(
      names = "--frontier",
      paramLabel = "DIR",
      description =
          "Instead draw into a folder what likelihood costs in passes of the network and in time, of"
              + " all text models in these runs.")
  private Path frontier;

  @Override
  public Integer call() throws IOException {
    PrintWriter screen = out();
    if (frontier != null) {
      draw(screen);
      return CommandLine.ExitCode.OK;
    }
    screen.println("# Results");
    screen.println();
    screen.println(
        "Written by `ringflow results` from the files of the runs; ± is half the range over seeds.");
    for (Path folder : folders) {
      List<Result> unfinished = unfinished(folder);
      if (unfinished.isEmpty()) {
        RunInfo run = RunInfo.read(folder);
        print(run.title(), ResultsFile.read(folder.resolve(ResultsFile.NAME)), screen);
        screen.println(run.line().replace(run.command(), "`" + run.command() + "`") + ".");
      } else {
        Result first = unfinished.get(0);
        print(first.experiment() + ", an unfinished run", unfinished, screen);
        screen.println(
            "The run was stopped, on "
                + first.device()
                + "; these are the results of the trainings that had ended.");
      }
    }
    screen.flush();
    return CommandLine.ExitCode.OK;
  }

  /** The results of a run that was stopped; none of one that was not. */
  private static List<Result> unfinished(Path folder) throws IOException {
    return Files.exists(folder.resolve(ResultsFile.NAME))
        ? List.of()
        : ResultsFile.readUnfinished(folder);
  }

  private void draw(PrintWriter screen) throws IOException {
    List<Result> results = new ArrayList<>();
    for (Path folder : folders) {
      List<Result> unfinished = unfinished(folder);
      results.addAll(
          unfinished.isEmpty() ? ResultsFile.read(folder.resolve(ResultsFile.NAME)) : unfinished);
    }
    List<Picture> pictures =
        PassesFrontier.of(results).stream().<Picture>map(LineChartPicture::new).toList();
    if (pictures.isEmpty()) {
      throw new IllegalArgumentException("none of these runs has models of text to draw");
    }
    RunFolder.pictures(pictures, frontier);
    screen.println(pictures.size() + " pictures in " + frontier);
    screen.flush();
  }

  private static void print(String title, List<Result> results, PrintWriter screen) {
    var outcome = new Outcome(results, List.of(), List.of(), List.of(), List.of(), List.of());
    screen.println();
    screen.println("## " + title);
    for (TextTable table : OutcomeTables.of(outcome)) {
      screen.println();
      screen.print(table.markdown());
    }
    screen.println();
    PaperBelowFloor.sentence(results, "nll")
        .ifPresent(
            sentence -> {
              screen.println(sentence);
              screen.println();
            });
  }
}
