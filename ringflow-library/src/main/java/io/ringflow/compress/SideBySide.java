package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.internal.checks.Interruption;
import io.ringflow.internal.torch.OwnCore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Does pieces of work side by side, and gives their results in order; only a few at a time, so that
 * memory is bounded.
 *
 * @param <T> of results
 */
final class SideBySide<T> implements AutoCloseable {
  private static final int MAX_THREADS = 8;

  /** A piece of work. */
  @FunctionalInterface
  interface Work<T> {
    /**
     * Does it.
     *
     * @param slot that no other piece has at the same time
     */
    T run(int slot) throws CompressedFormatException;
  }

  private final int threads;
  private final ExecutorService pool;
  private final Deque<Future<T>> open = new ArrayDeque<>();
  private int submitted;

  /**
   * Begins with nothing to do.
   *
   * @param maxThreads that may work at a time
   * @param pieces of work that will come, about: there are no more threads than that
   */
  SideBySide(int maxThreads, int pieces) {
    threads = Math.max(1, Math.min(maxThreads, pieces));
    // One alone may have all cores for its products. Several would wait for each other there.
    pool =
        Executors.newFixedThreadPool(
            threads,
            work -> new Thread(threads == 1 ? work : () -> onOwnCore(work), "ringflow-coding"));
  }

  /** How many threads this machine is worth. */
  static int availableThreads() {
    return Math.max(1, Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors()));
  }

  private static void onOwnCore(Runnable work) {
    OwnCore.take();
    work.run();
  }

  /** Whether a result must be taken before more is submitted. */
  boolean isFull() {
    return open.size() == threads;
  }

  /** Whether there are no results to come. */
  boolean isEmpty() {
    return open.isEmpty();
  }

  void submit(Work<T> work) {
    int slot = submitted++ % threads; // results are taken in order: the slot is free again
    open.add(pool.submit(() -> work.run(slot)));
  }

  /** The next result. */
  T next() throws CompressedFormatException {
    try {
      return open.remove().get();
    } catch (InterruptedException e) {
      throw Interruption.cancelled(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CompressedFormatException damaged) {
        throw damaged;
      }
      if (e.getCause() instanceof RuntimeException failed) {
        throw failed;
      }
      if (e.getCause() instanceof Error failed) {
        throw failed;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Ends what is under way, and waits for it: it works with a model that may be closed next. */
  @Override
  public void close() {
    pool.shutdownNow();
    boolean interrupted = false;
    while (!pool.isTerminated()) {
      try {
        pool.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
