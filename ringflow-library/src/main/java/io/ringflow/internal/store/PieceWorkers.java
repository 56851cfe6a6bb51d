package io.ringflow.internal.store;

import io.ringflow.internal.checks.Interruption;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Pieces of a file that are worked on, at most as many as there are threads and one that waits.
 * Their outcomes come in order.
 */
final class PieceWorkers implements AutoCloseable {
  private static final int MAX_THREADS = 8;

  private final int threads =
      Math.max(1, Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors()));
  private final ExecutorService pool =
      Executors.newFixedThreadPool(threads, work -> new Thread(work, "ringflow-deflating"));
  private final Deque<Future<byte[]>> open = new ArrayDeque<>();

  boolean isFull() {
    return open.size() > threads;
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  void submit(Callable<byte[]> work) {
    open.add(pool.submit(work));
  }

  byte[] next() throws IOException {
    try {
      return open.remove().get();
    } catch (InterruptedException e) {
      throw Interruption.cancelled(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException damaged) {
        throw damaged;
      }
      if (e.getCause() instanceof Error failed) { // such as too little memory
        throw failed;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
