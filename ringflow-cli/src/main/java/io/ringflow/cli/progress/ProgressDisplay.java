package io.ringflow.cli.progress;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/**
 * Where progress is shown: a bar on a terminal, elsewhere (a file, a build server) a line about
 * every ten seconds. Safe from several threads.
 */
final class ProgressDisplay implements AutoCloseable {
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int UPDATE_MILLIS = 200;

  private final PrintWriter err;
  private final boolean terminal;
  private final LongSupplier nanoTime;
  private final Thread endOnInterrupt = new Thread(this::end, "progress-bar-end");
  private ProgressBar bar; // null where and while there is none
  private long lastLine;

  ProgressDisplay(PrintWriter err, boolean terminal, LongSupplier nanoTime) {
    this.err = err;
    this.terminal = terminal;
    this.nanoTime = nanoTime;
    this.lastLine = nanoTime.getAsLong();
    if (terminal) {
      // After ctrl-C the shell's prompt should begin a line of its own, with no bar drawn over it.
      Runtime.getRuntime().addShutdownHook(endOnInterrupt);
    }
  }

  /** Returns one for this process's terminal, or for plain lines where it has none. */
  static ProgressDisplay of(PrintWriter err) {
    return new ProgressDisplay(err, Terminal.watched(), System::nanoTime);
  }

  long nanoTime() {
    return nanoTime.getAsLong();
  }

  /** Draws a new bar on a terminal, after the one before has ended; does nothing elsewhere. */
  synchronized void begin(String label, long from, long total) {
    end();
    if (terminal) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(label)
              .setInitialMax(total)
              .startsFrom(from, Duration.ZERO)
              .setRenderer(new BarLine())
              .setUpdateIntervalMillis(UPDATE_MILLIS)
              // Given the width, the library leaves the terminal alone. Asked to find it, it would
              // put the default handler on ctrl-C, which ends the process without running any
              // shutdown hook.
              .setConsumer(new ConsoleProgressBarConsumer(System.err, Terminal.columns() - 1))
              .build();
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
    if (terminal || nanoTime() - lastLine >= LINE_NANOS) {
      lastLine = nanoTime();
      showNow(done, message, line);
    }
  }

  /** Moves the bar, or prints a line. */
  synchronized void showNow(long done, String message, Supplier<String> line) {
    if (bar != null) {
      bar.stepTo(done);
      bar.setExtraMessage(message);
    } else {
      print(line.get());
    }
  }

  /** Prints a line, except on a terminal, which has the bar. */
  synchronized void print(String line) {
    if (!terminal) {
      err.println(line);
      err.flush();
    }
  }

  private synchronized void end() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(endOnInterrupt);
    } catch (IllegalStateException e) {
      // The process is going down; the hook has done its work.
    }
  }
}
