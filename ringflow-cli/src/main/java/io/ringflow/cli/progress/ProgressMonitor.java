package io.ringflow.cli.progress;

import io.ringflow.cli.report.Numbers;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Trial;
import io.ringflow.train.TrainingListener;
import java.io.PrintWriter;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Shows how a run goes whose trainings may be side by side, and how long the whole run will still
 * take. Safe from several threads.
 */
public final class ProgressMonitor implements Experiment.Monitor, AutoCloseable {
  private final String name;
  private final ProgressDisplay display;
  private final RemainingTime plan;

  /**
   * Shows a run.
   *
   * @param name of what runs
   * @param jobs how many trainings run at a time
   */
  ProgressMonitor(String name, int jobs, ProgressDisplay display) {
    this.name = name;
    this.display = display;
    this.plan = new RemainingTime(jobs);
  }

  /** Shows a run on this process's terminal, or by plain lines where it has none. */
  public static ProgressMonitor of(String name, int jobs, PrintWriter err) {
    return new ProgressMonitor(name, jobs, ProgressDisplay.of(err));
  }

  @Override
  public synchronized void started(List<Trial> trials, List<Finished> done) {
    trials.stream().filter(Trial::takesSteps).forEach(plan::add);
    for (Finished finished : done) {
      if (finished.trial().takesSteps()) {
        plan.done(finished.trial(), seconds(finished) - secondsOfSource(finished, done));
      }
    }
    display.begin(name, plan.doneSteps(), plan.steps());
    if (plan.doneCount() > 0) {
      display.print(
          "%d of %d trainings were done before".formatted(plan.doneCount(), plan.count()));
    }
  }

  /** What its results count too, and its own steps did not take. */
  private static double secondsOfSource(Finished finished, List<Finished> done) {
    Trial source = finished.trial().training().start().source();
    return source == null
        ? 0
        : done.stream()
            .filter(other -> other.trial().slug().equals(source.slug()))
            .mapToDouble(ProgressMonitor::seconds)
            .findFirst()
            .orElse(0);
  }

  private static double seconds(Finished finished) {
    return finished.results().stream().findFirst().map(result -> result.seconds()).orElse(0.0);
  }

  @Override
  public TrainingListener training(Trial trial) {
    return new TrainingListener() {
      @Override
      public void progressed(Progress progress) {
        moved(trial, progress);
      }

      @Override
      public void finished(TrainingReport report) {
        ended(trial, report);
      }
    };
  }

  private synchronized void moved(Trial trial, TrainingListener.Progress progress) {
    plan.moved(trial, progress.step(), progress.seconds());
    display.show(
        plan.doneSteps(),
        message(trial, progress.loss()),
        () ->
            "%d of %d trainings done; %s: step %d%s, %s nats%s"
                .formatted(
                    plan.doneCount(),
                    plan.count(),
                    trial.label(),
                    progress.step(),
                    plan.howFar(trial),
                    Numbers.fixed(progress.loss()),
                    timeLeft("; ", "")));
  }

  private synchronized void ended(Trial trial, TrainingListener.TrainingReport report) {
    boolean stopped = report.reason() == TrainingListener.StopReason.INTERRUPTED;
    if (!stopped) {
      plan.done(trial, report.seconds());
    }
    display.showNow(
        plan.doneSteps(),
        message(trial, report.loss()),
        () ->
            "%s: %s after %d steps in %s, %s nats"
                .formatted(
                    trial.label(),
                    stopped ? "stopped" : "done",
                    report.steps(),
                    Numbers.time(report.seconds()),
                    Numbers.fixed(report.loss())));
  }

  private String message(Trial trial, double loss) {
    return "%s%d of %d trainings, %s: %s nats"
        .formatted(
            timeLeft("", "  "), plan.doneCount(), plan.count(), trial.label(), Numbers.fixed(loss));
  }

  private String timeLeft(String before, String after) {
    OptionalDouble left = plan.secondsLeft();
    return left.isEmpty() ? "" : before + Numbers.time(left.getAsDouble()) + " left" + after;
  }

  @Override
  public void close() {
    display.close();
  }
}
