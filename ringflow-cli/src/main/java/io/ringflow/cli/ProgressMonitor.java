package io.ringflow.cli;

import io.ringflow.paper.Experiment;
import io.ringflow.train.MetricsLog;
import io.ringflow.train.TrainingListener;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/**
 * Shows how every training goes, and logs it.
 *
 * <p>On a terminal each training has a progress bar; elsewhere (a file, a build server) it prints
 * one line about every ten seconds and one at its end. Trainings come one after the other.
 */
final class ProgressMonitor implements Experiment.Monitor, AutoCloseable {
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int BAR_MILLIS = 200;

  private final PrintWriter err;
  private final boolean terminal;
  private final LongSupplier nanoTime;
  private final Path metrics;
  private final Thread endLineOnInterrupt = new Thread(this::closeBar, "progress-bar-end");
  private ProgressBar bar;

  ProgressMonitor(PrintWriter err, boolean terminal, LongSupplier nanoTime, Path metrics) {
    this.err = err;
    this.terminal = terminal;
    this.nanoTime = nanoTime;
    this.metrics = metrics;
    if (terminal) {
      // After ctrl-C the shell's prompt should begin a line of its own, and no bar be drawn over
      // it.
      Runtime.getRuntime().addShutdownHook(endLineOnInterrupt);
    }
  }

  /** Returns one for this process's terminal, or for plain lines where it has none. */
  static ProgressMonitor of(PrintWriter err, Path metrics) {
    return new ProgressMonitor(err, Terminal.watched(), System::nanoTime, metrics);
  }

  @Override
  public TrainingListener training(String label) {
    return terminal ? new Bar(label) : new Lines(label);
  }

  @Override
  public void close() {
    closeBar();
    if (terminal) {
      try {
        Runtime.getRuntime().removeShutdownHook(endLineOnInterrupt);
      } catch (IllegalStateException e) {
        // The process is going down; the hook has done its work.
      }
    }
  }

  private synchronized void openBar(String label, long fromStep, long totalSteps) {
    closeBar();
    bar =
        new ProgressBarBuilder()
            .setTaskName(label)
            .setInitialMax(totalSteps)
            .startsFrom(fromStep, Duration.ZERO)
            .setRenderer(new BarLine())
            .setUpdateIntervalMillis(BAR_MILLIS)
            // Given the width, the library leaves the terminal alone. Asked to find it, it would
            // put the default
            // handler on ctrl-C, which ends the process without running any shutdown hook.
            .setConsumer(new ConsoleProgressBarConsumer(System.err, Terminal.columns() - 1))
            .build();
  }

  private synchronized void moveBar(long step, String message) {
    if (bar != null) {
      bar.stepTo(step);
      bar.setExtraMessage(message);
    }
  }

  private synchronized void closeBar() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }

  private static String rate(TrainingListener.Progress progress) {
    return Numbers.figure(progress.loss())
        + " nats, "
        + Numbers.count(progress.rowsPerSecond())
        + " rows/s";
  }

  /** Logs; what is shown is left to the two kinds below. */
  private abstract class Logged implements TrainingListener {
    final String label;
    private final TrainingListener log;

    Logged(String label) {
      this.label = label;
      this.log = new MetricsLog(metrics, label);
    }

    @Override
    public void started(long fromStep, long totalSteps) {
      log.started(fromStep, totalSteps);
    }

    @Override
    public void progressed(Progress progress) {
      log.progressed(progress);
    }

    @Override
    public void evaluated(Evaluation evaluation) {
      log.evaluated(evaluation);
    }

    @Override
    public void finished(TrainingReport report) {
      log.finished(report);
    }
  }

  private final class Bar extends Logged {
    Bar(String label) {
      super(label);
    }

    @Override
    public void started(long fromStep, long totalSteps) {
      super.started(fromStep, totalSteps);
      openBar(label, fromStep, totalSteps);
    }

    @Override
    public void progressed(Progress progress) {
      super.progressed(progress);
      moveBar(progress.step(), rate(progress));
    }

    @Override
    public void finished(TrainingReport report) {
      super.finished(report);
      closeBar();
    }
  }

  private final class Lines extends Logged {
    private long began = nanoTime.getAsLong();
    private long lastLine = began;
    private long fromStep;

    Lines(String label) {
      super(label);
    }

    @Override
    public void started(long fromStep, long totalSteps) {
      super.started(fromStep, totalSteps);
      this.fromStep = fromStep;
      began = nanoTime.getAsLong();
      lastLine = began;
    }

    @Override
    public void progressed(Progress progress) {
      super.progressed(progress);
      long now = nanoTime.getAsLong();
      if (now - lastLine >= LINE_NANOS) {
        lastLine = now;
        double perStep = (now - began) / 1e9 / Math.max(1, progress.step() - fromStep);
        double left = perStep * (progress.totalSteps() - progress.step());
        err.printf(
            "%s: step %d of %d, %s, %s left%n",
            label, progress.step(), progress.totalSteps(), rate(progress), Numbers.time(left));
        err.flush();
      }
    }

    @Override
    public void finished(TrainingReport report) {
      super.finished(report);
      err.printf(
          "%s: done after %d steps in %s, %s nats%n",
          label, report.steps(), Numbers.time(report.seconds()), Numbers.figure(report.loss()));
      err.flush();
    }
  }
}
