package io.ringflow.cli.command;

import io.ringflow.cli.report.Figure;
import io.ringflow.cli.report.LineChartFigure;
import io.ringflow.cli.report.ResultTable;
import io.ringflow.cli.report.RunFolder;
import io.ringflow.cli.report.RunInfo;
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
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes one Markdown page of the figures of several runs. */
@Command(
    name = "results",
    description = "Print the figures of earlier runs as Markdown.",
    footer = {"", "Example:", "  ringflow results runs/xor runs/ring > results.md"})
public final class ResultsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "RUN",
      arity = "1..*",
      description =
          "Run folders, as 'reproduce' leaves them: results.json and run.json are read, or the finished"
              + " trials of a run that was stopped.")
  private List<Path> folders;

  @Option(
      names = "--frontier",
      paramLabel = "FOLDER",
      description =
          "Instead draw what likelihood costs in network calls and in time, of all text models in these"
              + " runs, into a folder.")
  private Path frontier;

  @Override
  public Integer call() throws IOException {
    PrintWriter screen = spec.commandLine().getOut();
    if (frontier != null) {
      draw(screen);
      return CommandLine.ExitCode.OK;
    }
    screen.println("# Results");
    screen.println();
    screen.println(
        "Written by `ringflow results` from the runs' own files; ± is half the range over seeds.");
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
                + "; these are the figures of the trainings that had ended.");
      }
    }
    screen.flush();
    return CommandLine.ExitCode.OK;
  }

  /** The figures of a run that was stopped; none of one that was not. */
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
    List<Figure> metrics =
        PassesFrontier.of(results).stream().<Figure>map(LineChartFigure::new).toList();
    if (metrics.isEmpty()) {
      throw new IllegalArgumentException("none of these runs has models of text to draw");
    }
    RunFolder.metrics(metrics, frontier);
    screen.println(metrics.size() + " figures in " + frontier);
    screen.flush();
  }

  private static void print(String title, List<Result> results, PrintWriter screen) {
    var outcome = new Outcome(results, List.of(), List.of(), List.of(), List.of(), List.of());
    screen.println();
    screen.println("## " + title);
    for (ResultTable table : ResultTable.of(outcome)) {
      screen.println();
      screen.print(markdown(table));
    }
    screen.println();
    PaperBelowFloor.sentence(results, "nll")
        .ifPresent(
            sentence -> {
              screen.println(sentence);
              screen.println();
            });
  }

  static String markdown(ResultTable table) {
    String headings =
        table.columns().stream()
            .map(ResultTable.Column::heading)
            .collect(Collectors.joining(" | "));
    String rules =
        table.columns().stream()
            .map(column -> column.numeric() ? "--:" : "---")
            .collect(Collectors.joining("|"));
    String rows =
        table.rows().stream()
            .map(row -> "| " + String.join(" | ", row) + " |\n")
            .collect(Collectors.joining());
    return "| " + headings + " |\n|" + rules + "|\n" + rows;
  }
}
