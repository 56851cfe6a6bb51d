package io.ringflow.cli.progress;

import io.ringflow.cli.report.Numbers;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Trial;
import io.ringflow.train.TrainingListener;
import java.io.PrintWriter;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shows how a run goes, whose trainings may be side by side.
 *
 * <p>On a terminal there is one progress bar for all of it; elsewhere (a file, a build server) a
 * line about every ten seconds, and one at the end of each training. Both tell how long the whole
 * run will still take. Safe from several threads.
 */
public final class ProgressMonitor implements Experiment.Monitor, AutoCloseable {
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final String name;
  private final PrintWriter err;
  private final LongSupplier nanoTime;
  private final TerminalBar bar; // null where nobody watches
  private final RemainingTime plan;
  private long lastLine;

  /**
   * Shows a run.
   *
   * @param name of what runs
   * @param jobs how many trainings run at a time
   */
  ProgressMonitor(String name, int jobs, PrintWriter err, boolean terminal, LongSupplier nanoTime) {
    this.name = name;
    this.err = err;
    this.nanoTime = nanoTime;
    this.bar = terminal ? new TerminalBar() : null;
    this.plan = new RemainingTime(jobs);
    this.lastLine = nanoTime.getAsLong();
  }

  /** Returns one for this process's terminal, or for plain lines where it has none. */
  public static ProgressMonitor of(String name, int jobs, PrintWriter err) {
    return new ProgressMonitor(name, jobs, err, Terminal.watched(), System::nanoTime);
  }

  @Override
  public synchronized void started(List<Trial> trials, List<Finished> done) {
    trials.stream().filter(trial -> trial.training() != null).forEach(plan::add);
    for (Finished finished : done) {
      if (finished.trial().training() != null) {
        double preparation = finished.trial().training().start().seconds();
        plan.done(finished.trial(), Math.max(0, seconds(finished) - preparation));
      }
    }
    if (bar != null) {
      bar.begin(name, plan.doneSteps(), plan.steps());
    } else if (plan.doneCount() > 0) {
      print("%d of %d trainings were done before%n".formatted(plan.doneCount(), plan.count()));
    }
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
    if (bar != null) {
      show(trial, progress.loss());
    } else if (nanoTime.getAsLong() - lastLine >= LINE_NANOS) {
      lastLine = nanoTime.getAsLong();
      print(
          "%d of %d trainings done; %s: step %d%s, %s nats%s%n"
              .formatted(
                  plan.doneCount(),
                  plan.count(),
                  trial.label(),
                  progress.step(),
                  plan.howFar(trial),
                  Numbers.figure(progress.loss()),
                  timeLeft("; ", "")));
    }
  }

  private synchronized void ended(Trial trial, TrainingListener.TrainingReport report) {
    boolean stopped = report.reason() == TrainingListener.StopReason.INTERRUPTED;
    if (!stopped) {
      plan.done(trial, report.seconds());
    }
    if (bar != null) {
      show(trial, report.loss());
    } else {
      print(
          "%s: %s after %d steps in %s, %s nats%n"
              .formatted(
                  trial.label(),
                  stopped ? "stopped" : "done",
                  report.steps(),
                  Numbers.time(report.seconds()),
                  Numbers.figure(report.loss())));
    }
  }

  private void show(Trial trial, double loss) {
    bar.moveTo(
        plan.doneSteps(),
        "%s%d of %d trainings, %s: %s nats"
            .formatted(
                timeLeft("", "  "),
                plan.doneCount(),
                plan.count(),
                trial.label(),
                Numbers.figure(loss)));
  }

  private String timeLeft(String before, String after) {
    OptionalDouble left = plan.secondsLeft();
    return left.isEmpty() ? "" : before + Numbers.time(left.getAsDouble()) + " left" + after;
  }

  private void print(String line) {
    err.print(line);
    err.flush();
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
