package io.ringflow.cli;

import io.ringflow.paper.Outcome;
import io.ringflow.paper.ResultsFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes one Markdown page of the figures of several runs. */
@Command(
    name = "results",
    description = "Print the figures of earlier runs as Markdown.",
    footer = {"", "Example:", "  ringflow results runs/xor runs/ring > results.md"})
final class ResultsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "RUN",
      arity = "1..*",
      description = "Run folders, as 'reproduce' leaves them: results.json and run.json are read.")
  private List<Path> folders;

  @Override
  public Integer call() throws IOException {
    PrintWriter screen = spec.commandLine().getOut();
    screen.println("# Results");
    screen.println();
    screen.println(
        "Written by `ringflow results` from the runs' own files; ± is half the range over seeds.");
    for (Path folder : folders) {
      RunInfo run = RunInfo.read(folder);
      var outcome =
          new Outcome(
              ResultsFile.read(folder.resolve(ResultsFile.NAME)),
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              List.of());
      screen.println();
      screen.println("## " + run.title());
      for (Table table : Table.of(outcome)) {
        screen.println();
        screen.print(markdown(table));
      }
      screen.println();
      screen.println(run.line().replaceFirst("ringflow[^,]*", "`$0`") + ".");
    }
    screen.flush();
    return CommandLine.ExitCode.OK;
  }

  static String markdown(Table table) {
    String headings =
        table.columns().stream().map(Table.Column::heading).collect(Collectors.joining(" | "));
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
