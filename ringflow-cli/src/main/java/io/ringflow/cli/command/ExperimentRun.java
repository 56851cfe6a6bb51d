package io.ringflow.cli.command;

import io.ringflow.cli.progress.ProgressMonitor;
import io.ringflow.cli.report.OutcomeTables;
import io.ringflow.cli.report.Picture;
import io.ringflow.cli.report.Report;
import io.ringflow.cli.report.RunFolder;
import io.ringflow.cli.report.RunInfo;
import io.ringflow.cli.report.TextTable;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.TrialRunner;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/**
 * One run of an experiment on the process that writes: trains, fills the run folder, and prints.
 *
 * @param experiment what runs
 * @param settings as the user chose
 * @param workers how many models train at a time
 * @param resume whether to take what an earlier run left
 * @param screen for results
 * @param err for progress and remarks
 */
record ExperimentRun(
    Experiment experiment,
    Experiment.Settings settings,
    int workers,
    boolean resume,
    PrintWriter screen,
    PrintWriter err) {
  /** Runs the trials of a runner and returns what they found. */
  List<Result> run(RunFolder folder, TrialRunner runner) throws IOException {
    Outcome outcome;
    long started = System.nanoTime();
    try (var monitor = ProgressMonitor.of(experiment.name(), workers, err)) {
      outcome = experiment.outcome(settings, runner.run(resume, monitor));
    }
    folder.completeMetrics();
    // The results that took hours to get come first: a failure to draw must not lose them.
    folder.results(outcome);
    RunInfo run = RunInfo.of(experiment, settings, resume, (System.nanoTime() - started) * 1e-9);
    run.write(folder.path());
    List<TextTable> tables = OutcomeTables.of(outcome);
    print(outcome, tables, run);
    List<Picture> pictures = drawn(Picture.of(outcome), folder::pictures, err);
    Path report = folder.report(Report.html(experiment, settings, outcome, tables, pictures));
    screen.println();
    screen.println("Report: " + report);
    screen.flush();
    return outcome.results();
  }

  private void print(Outcome outcome, List<TextTable> tables, RunInfo run) {
    screen.println();
    screen.println(experiment.title());
    for (TextTable table : tables) {
      screen.println();
      screen.print(table.console());
    }
    for (Outcome.Listing listing : outcome.listings()) {
      screen.println();
      screen.println(listing.title());
      listing.lines().forEach(screen::println);
    }
    screen.println(run.line());
    for (String note : outcome.notes()) {
      screen.println("Note: " + note);
    }
    if (settings.effort() == Effort.QUICK) {
      screen.println("Note: a quick run; these are not the experiment's results.");
    }
    screen.flush();
  }

  /** Draws pictures. */
  @FunctionalInterface
  interface Drawing {
    void draw(List<Picture> pictures) throws IOException;
  }

  /**
   * Returns the pictures that could be drawn: all, or none where this Java lacks the libraries for
   * it, as on many servers. Training was worth more than a picture.
   */
  static List<Picture> drawn(List<Picture> pictures, Drawing drawing, PrintWriter err)
      throws IOException {
    try {
      drawing.draw(pictures);
      return pictures;
    } catch (LinkageError e) {
      err.println("ringflow: no pictures, this Java can't draw text: " + e.getMessage());
      return List.of();
    }
  }
}
