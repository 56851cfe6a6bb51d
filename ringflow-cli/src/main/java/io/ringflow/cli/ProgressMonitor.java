package io.ringflow.cli;

import io.ringflow.paper.Experiment;
import io.ringflow.train.MetricsLog;
import io.ringflow.train.TrainingListener;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shows how every training goes, and logs it.
 *
 * <p>On a terminal each training has a progress bar; elsewhere (a file, a build server) it prints
 * one line about every ten seconds and one at its end. Trainings come one after the other.
 */
final class ProgressMonitor implements Experiment.Monitor, AutoCloseable {
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final PrintWriter err;
  private final LongSupplier nanoTime;
  private final Path metrics;
  private final TerminalBar bar; // null where nobody watches

  ProgressMonitor(PrintWriter err, boolean terminal, LongSupplier nanoTime, Path metrics) {
    this.err = err;
    this.nanoTime = nanoTime;
    this.metrics = metrics;
    this.bar = terminal ? new TerminalBar() : null;
  }

  /** Returns one for this process's terminal, or for plain lines where it has none. */
  static ProgressMonitor of(PrintWriter err, Path metrics) {
    return new ProgressMonitor(err, Terminal.watched(), System::nanoTime, metrics);
  }

  @Override
  public TrainingListener training(String label) {
    return bar == null ? new Lines(label) : new Bar(label);
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
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
      bar.begin(label, fromStep, totalSteps);
    }

    @Override
    public void progressed(Progress progress) {
      super.progressed(progress);
      bar.moveTo(progress.step(), rate(progress));
    }

    @Override
    public void finished(TrainingReport report) {
      super.finished(report);
      bar.end();
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
