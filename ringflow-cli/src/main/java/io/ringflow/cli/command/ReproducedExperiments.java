package io.ringflow.cli.command;

import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.SummaryTable;
import io.ringflow.paper.harness.Result;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** What {@code reproduce all} has found so far, for the table at its end. */
final class ReproducedExperiments {
  private final List<Result> results = new ArrayList<>();
  private final long started = System.nanoTime();
  private int experiments;
  private int finishedBefore;

  /** An experiment has ended. */
  void add(List<Result> found) {
    results.addAll(found);
    experiments++;
  }

  /** An earlier run had ended this experiment. */
  void addFinishedBefore(List<Result> found) {
    add(found);
    finishedBefore++;
  }

  void print(PrintWriter screen) {
    screen.println();
    screen.println("All experiments");
    screen.println();
    screen.print(SummaryTable.of(results).console());
    screen.println();
    screen.printf(
        "Total: %d experiments in %s%s%n",
        experiments,
        Numbers.time((System.nanoTime() - started) * 1e-9),
        finishedBefore == 0 ? "" : ", " + finishedBefore + " of them finished before");
    screen.flush();
  }
}
