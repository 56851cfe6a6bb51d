package io.ringflow.cli.progress;

import io.ringflow.cli.report.Numbers;
import io.ringflow.train.TrainingListener;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shows how the training of one model goes: a bar on a terminal, elsewhere a line about every ten
 * seconds. How much is done is measured by steps or by time, whichever is further.
 */
public final class FitProgress implements TrainingListener, AutoCloseable {
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long WHOLE = 1000;

  private final PrintWriter err;
  private final LongSupplier nanoTime;
  private final TerminalBar bar; // null where nobody watches
  private final double budget; // seconds
  private final LossUnit unit;
  private long lastLine;
  private boolean began;

  FitProgress(
      PrintWriter err,
      boolean terminal,
      LongSupplier nanoTime,
      Duration budget,
      LossUnit unit) {
    this.err = err;
    this.nanoTime = nanoTime;
    this.bar = terminal ? new TerminalBar() : null;
    this.budget = budget.toMillis() * 1e-3;
    this.unit = unit;
    this.lastLine = nanoTime.getAsLong();
  }

  /** Returns one for this process's terminal, or for plain lines where it has none. */
  public static FitProgress of(PrintWriter err, Duration budget, LossUnit unit) {
    return new FitProgress(err, Terminal.watched(), System::nanoTime, budget, unit);
  }

  /** Whether training got as far as its first step: what comes after can be resumed. */
  public boolean began() {
    return began;
  }

  @Override
  public void started(long fromStep, long totalSteps) {
    began = true;
    if (bar != null) {
      bar.begin("train", 0, WHOLE);
    } else if (fromStep > 0) {
      err.printf("resumes from step %d%n", fromStep);
      err.flush();
    }
  }

  @Override
  public void progressed(Progress progress) {
    double share =
        Math.min(
            1,
            Math.max(
                (double) progress.step() / progress.totalSteps(), progress.seconds() / budget));
    double left = progress.seconds() / share - progress.seconds();
    String loss = unit.show(progress.loss());
    String time = Numbers.time(left) + " left";
    if (bar != null) {
      bar.moveTo(
          Math.round(WHOLE * share), "%s  step %d, %s".formatted(time, progress.step(), loss));
    } else if (nanoTime.getAsLong() - lastLine >= LINE_NANOS) {
      lastLine = nanoTime.getAsLong();
      err.printf("step %d, %d %% done; %s; %s%n", progress.step(), (int) (100 * share), loss, time);
      err.flush();
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
