package io.ringflow.internal.checks;

import java.util.concurrent.CancellationException;

/** How long work ends when its thread is interrupted: by one exception, the flag still set. */
public final class Interruption {
  private Interruption() {}

  /**
   * Ends the work of an interrupted thread; loops call it once in a while.
   *
   * @throws CancellationException if the current thread is interrupted
   */
  public static void check() {
    if (Thread.currentThread().isInterrupted()) {
      throw cancelled();
    }
  }

  /**
   * The exception to throw where a wait was interrupted. Sets the thread's flag again, which {@link
   * InterruptedException} stands for.
   */
  public static CancellationException cancelled(InterruptedException caught) {
    Thread.currentThread().interrupt();
    CancellationException cancelled = cancelled();
    cancelled.initCause(caught);
    return cancelled;
  }

  /** The exception to throw where an interrupt was noticed in another way, such as by a trainer. */
  public static CancellationException cancelled() {
    return new CancellationException("interrupted");
  }
}
