package io.ringflow.cli.progress;

import io.ringflow.cli.report.Numbers;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shows how much of a known amount is done: a bar on a terminal, elsewhere a line about every ten
 * seconds. Safe from several threads.
 */
public final class CountProgress implements AutoCloseable {
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final PrintWriter err;
  private final String what;
  private final long total;
  private final LongSupplier nanoTime;
  private final TerminalBar bar; // null where nobody watches
  private final long began;
  private long lastLine;
  private long done;

  CountProgress(PrintWriter err, boolean terminal, LongSupplier nanoTime, String what, long total) {
    this.err = err;
    this.what = what;
    this.total = total;
    this.nanoTime = nanoTime;
    this.began = nanoTime.getAsLong();
    this.lastLine = began;
    this.bar = terminal ? new TerminalBar() : null;
    if (terminal) {
      bar.begin(what, 0, total);
    }
  }

  /** Returns one for this process's terminal, or for plain lines where it has none. */
  public static CountProgress of(PrintWriter err, String what, long total) {
    return new CountProgress(err, Terminal.watched(), System::nanoTime, what, total);
  }

  /** Some more are done. */
  public synchronized void add(long count) {
    done += count;
    long now = nanoTime.getAsLong();
    double perSecond = done * 1e9 / Math.max(1, now - began);
    String left = Numbers.time(Math.max(0, total - done) / perSecond) + " left";
    if (bar != null) {
      bar.moveTo(Math.min(done, total), left + "  " + Numbers.count(perSecond) + "/s");
    } else if (now - lastLine >= LINE_NANOS) {
      lastLine = now;
      err.printf(
          "%s of %s %s, %s/s, %s%n",
          Numbers.count((double) done),
          Numbers.count((double) total),
          what,
          Numbers.count(perSecond),
          left);
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
