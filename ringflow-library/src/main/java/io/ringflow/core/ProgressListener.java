package io.ringflow.core;

import io.ringflow.internal.checks.Interruption;

/** Hears how far long work has come; called on the thread that works. */
@FunctionalInterface
public interface ProgressListener {
  /** Nobody listens. */
  ProgressListener IGNORED = (done, total) -> {};

  /**
   * Called from time to time.
   *
   * @param done how much is done: rows, symbols or bytes, as the work says
   * @param total how much there is
   */
  void done(long done, long total);

  /**
   * This listener, ending the work with a {@link java.util.concurrent.CancellationException} once
   * its thread is interrupted.
   */
  default ProgressListener untilInterrupted() {
    return (done, total) -> {
      Interruption.check();
      done(done, total);
    };
  }
}
