package io.ringflow.cli.progress;

import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/** The one progress bar a terminal has room for. Safe from several threads. */
final class TerminalBar implements AutoCloseable {
  private static final int UPDATE_MILLIS = 200;

  private final Thread restoreOnInterrupt = new Thread(this::end, "progress-bar-end");
  private ProgressBar bar;

  TerminalBar() {
    // After ctrl-C the shell's prompt should begin a line of its own, and no bar be drawn over it.
    Runtime.getRuntime().addShutdownHook(restoreOnInterrupt);
  }

  /** Draws a new bar, after the one before has ended. */
  synchronized void begin(String label, long from, long total) {
    end();
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

  synchronized void moveTo(long done, String message) {
    if (bar != null) {
      bar.stepTo(done);
      bar.setExtraMessage(message);
    }
  }

  synchronized void end() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(restoreOnInterrupt);
    } catch (IllegalStateException e) {
      // The process is going down; the hook has done its work.
    }
  }
}
