package io.ringflow.cli.progress;

import io.ringflow.cli.report.Numbers;
import io.ringflow.core.ProgressListener;
import java.io.PrintWriter;

/** Shows how much is done of an amount, if it is known. Safe from several threads. */
public final class CountProgress implements ProgressListener, AutoCloseable {
  private final ProgressDisplay display;
  private final String what;
  private long began; // in nanoseconds; 0 before the first report, which tells the total
  private long total;
  private long done;

  CountProgress(ProgressDisplay display, String what) {
    this.display = display;
    this.what = what;
  }

  /** Shows an amount that the first report will tell; less than 0 if nobody knows it. */
  public static CountProgress of(PrintWriter err, String what) {
    return new CountProgress(ProgressDisplay.of(err), what);
  }

  /** Shows an amount that is known from the start. */
  public static CountProgress of(PrintWriter err, String what, long total) {
    CountProgress progress = of(err, what);
    progress.done(0, total);
    return progress;
  }

  /** Some more are done. */
  public synchronized void add(long count) {
    done(done + count, total);
  }

  @Override
  public synchronized void done(long count, long all) {
    long now = display.nanoTime();
    if (began == 0) {
      began = now;
      total = all;
      display.begin(what, 0, all);
    }
    if (count > done && now > began) { // no time, no speed
      done = count;
      double perSecond = done * 1e9 / Math.max(1, now - began);
      String speed = Numbers.count(perSecond) + "/s";
      if (total < 0) {
        String far = Numbers.count((double) done);
        display.show(done, far + "  " + speed, () -> far + " " + what + ", " + speed);
        return;
      }
      String left = Numbers.time(Math.max(0, total - done) / perSecond) + " left";
      display.show(
          Math.min(done, total),
          left + "  " + speed,
          () ->
              "%s of %s %s, %s, %s"
                  .formatted(
                      Numbers.count((double) done),
                      Numbers.count((double) total),
                      what,
                      speed,
                      left));
    }
  }

  @Override
  public void close() {
    display.close();
  }
}
