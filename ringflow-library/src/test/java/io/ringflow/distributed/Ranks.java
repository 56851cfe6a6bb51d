package io.ringflow.distributed;

import io.ringflow.core.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Process groups whose ranks are threads of this process, connected by Gloo as processes are. */
public final class Ranks {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private Ranks() {}

  /** The work of one rank. */
  @FunctionalInterface
  public interface Work<T> {
    /** Works in a group, which is closed afterwards. */
    T on(ProcessGroup group) throws Exception;
  }

  /** A port that was free a moment ago. */
  public static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a group; returns the results by rank, or throws the failure of the lowest failed rank. */
  public static <T> List<T> run(int size, Work<T> work) throws Exception {
    return run(size, TIMEOUT, work);
  }

  /** As above with a time-out. */
  public static <T> List<T> run(int size, Duration timeout, Work<T> work) throws Exception {
    List<T> results = new ArrayList<>();
    for (Future<T> end : ends(size, timeout, work)) {
      try {
        results.add(end.get());
      } catch (ExecutionException e) {
        throw e.getCause() instanceof Exception cause ? cause : e;
      }
    }
    return results;
  }

  /** Runs a group until every rank has returned or failed. */
  public static <T> List<Future<T>> ends(int size, Duration timeout, Work<T> work)
      throws InterruptedException {
    int port = freePort();
    ExecutorService threads = Executors.newFixedThreadPool(size);
    try {
      List<Callable<T>> ranks = new ArrayList<>();
      for (int r = 0; r < size; r++) {
        Rendezvous rendezvous = Rendezvous.at("127.0.0.1", port, r, size).withTimeout(timeout);
        ranks.add(
            () -> {
              try (ProcessGroup group = ProcessGroup.join(rendezvous, Device.CPU)) {
                return work.on(group);
              }
            });
      }
      return threads.invokeAll(ranks);
    } finally {
      threads.shutdown();
    }
  }
}
