package io.ringflow.cli.progress;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Where progress is shown: a bar on a terminal, elsewhere (a file, a build server) a line about
 * every ten seconds. Safe from several threads.
 */
final class ProgressDisplay implements AutoCloseable {
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final PrintWriter err;
  private final LongSupplier nanoTime;
  private final TerminalBar bar; // null where nobody watches
  private long lastLine;

  ProgressDisplay(PrintWriter err, boolean terminal, LongSupplier nanoTime) {
    this.err = err;
    this.nanoTime = nanoTime;
    this.bar = terminal ? new TerminalBar() : null;
    this.lastLine = nanoTime.getAsLong();
  }

  /** Returns one for this process's terminal, or for plain lines where it has none. */
  static ProgressDisplay of(PrintWriter err) {
    return new ProgressDisplay(err, Terminal.watched(), System::nanoTime);
  }

  long nanoTime() {
    return nanoTime.getAsLong();
  }

  /** Draws a new bar, if bars are drawn. */
  synchronized void begin(String label, long from, long total) {
    if (bar != null) {
      bar.begin(label, from, total);
    }
  }

  /**
   * Moves the bar, or prints a line if the last one was long ago.
   *
   * @param done of the bar's total
   * @param message behind the bar
   * @param line to print without a bar
   */
  synchronized void show(long done, String message, Supplier<String> line) {
    if (bar != null) {
      bar.moveTo(done, message);
    } else if (nanoTime() - lastLine >= LINE_NANOS) {
      lastLine = nanoTime();
      print(line.get());
    }
  }

  /** Moves the bar, or prints a line at once. */
  synchronized void showNow(long done, String message, Supplier<String> line) {
    if (bar != null) {
      bar.moveTo(done, message);
    } else {
      print(line.get());
    }
  }

  /** Prints a line, unless there is a bar. */
  synchronized void print(String line) {
    if (bar == null) {
      err.println(line);
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
