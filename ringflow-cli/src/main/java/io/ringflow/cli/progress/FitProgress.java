package io.ringflow.cli.progress;

import io.ringflow.cli.report.Numbers;
import io.ringflow.train.TrainingListener;
import java.io.PrintWriter;
import java.time.Duration;

/** Shows how the training of one model goes, by steps or by time, whichever is further. */
public final class FitProgress implements TrainingListener, AutoCloseable {
  private static final long WHOLE = 1000;

  private final ProgressDisplay display;
  private final double budget; // seconds
  private final LossUnit unit;
  private boolean began;
  private boolean isCounting;
  private long countedFrom; // in nanoseconds

  FitProgress(ProgressDisplay display, Duration budget, LossUnit unit) {
    this.display = display;
    this.budget = budget.toMillis() * 1e-3;
    this.unit = unit;
  }

  /** Shows a training on this process's terminal, or by plain lines where it has none. */
  public static FitProgress of(PrintWriter err, Duration budget, LossUnit unit) {
    return new FitProgress(ProgressDisplay.of(err), budget, unit);
  }

  /** Whether training got as far as its first step: what comes after can be resumed. */
  public boolean began() {
    return began;
  }

  @Override
  public void started(long fromStep, long totalSteps) {
    began = true;
    isCounting = false;
    display.begin("train", 0, WHOLE);
    if (fromStep > 0) {
      display.print("resumes from step " + fromStep);
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
    display.show(
        Math.round(WHOLE * share),
        "%s  step %d, %s".formatted(time, progress.step(), loss),
        () ->
            "step %d, %d %% done; %s; %s"
                .formatted(progress.step(), (int) (100 * share), loss, time));
  }

  @Override
  public void counting(long symbols, long total) {
    if (!isCounting) {
      isCounting = true;
      countedFrom = display.nanoTime();
      display.begin("count", 0, total);
      if (began) { // what comes before training is mostly done at once
        display.print(
            "trained; counts the contexts of " + Numbers.count((double) total) + " symbols");
      }
    }
    if (symbols > 0) {
      double seconds = (display.nanoTime() - countedFrom) * 1e-9;
      String time = Numbers.time(seconds * (total - symbols) / symbols) + " left";
      String what = began ? "counted" : "n-grams counted:";
      display.show(
          symbols, time, () -> "%s %d %%; %s".formatted(what, 100 * symbols / total, time));
    }
  }

  @Override
  public void close() {
    display.close();
  }
}
