package io.ringflow.bench;

import io.ringflow.train.TrainingListener;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Says every ten seconds or so how far long work has come. */
final class ProgressLines implements TrainingListener {
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final PrintStream err;
  private long last = System.nanoTime();

  ProgressLines(PrintStream err) {
    this.err = err;
  }

  /** So much of some work is done. */
  void done(String what, long done, long total) {
    say("%s: %,d of %,d", what, done, total);
  }

  @Override
  public void progressed(Progress progress) {
    say(
        "step %,d, %.0f s, %.3f nats per row, %.0f rows/s",
        progress.step(), progress.seconds(), progress.loss(), progress.rowsPerSecond());
  }

  @Override
  public void evaluated(Evaluation evaluation) {
    say(
        "step %,d, %.3f nats per row held out%s",
        evaluation.step(), evaluation.loss(), evaluation.averaged() ? ", by averaged weights" : "");
  }

  @Override
  public void finished(TrainingReport report) {
    now("%s after %,d steps, %.0f s", report.reason(), report.steps(), report.seconds());
  }

  /** Says something whenever it was last said. */
  void now(String format, Object... values) {
    last = System.nanoTime();
    err.printf(Locale.ROOT, format + "%n", values);
  }

  private void say(String format, Object... values) {
    if (System.nanoTime() - last >= PAUSE_NANOS) {
      now(format, values);
    }
  }
}
