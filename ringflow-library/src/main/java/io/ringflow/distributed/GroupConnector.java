package io.ringflow.distributed;

import io.ringflow.spi.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.Backend;
import org.bytedeco.pytorch.IntOptional;
import org.bytedeco.pytorch.PrefixStore;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.StringVector;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;

/**
 * How the processes of a team find each other: rank 0 keeps a store, everybody calls out there, and
 * Gloo connects all with all.
 *
 * <p>Nothing here waits longer than the time-out, and a moment.
 */
final class GroupConnector {
  /** For who gives up in time to say why. */
  private static final Duration GRACE = Duration.ofSeconds(3);

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  private final Rendezvous place;
  private final ErrorText complaint;
  private final Deque<Pointer> owned = new ArrayDeque<>();

  GroupConnector(Rendezvous place) {
    this.place = place;
    this.complaint = new ErrorText(place);
  }

  /**
   * Meets the others.
   *
   * @return the store through which they were found
   */
  Store meet() {
    Store met = store();
    inTime("the store of rank 0 does not answer", () -> roll(met));
    return met;
  }

  /** c10d's classes take a store for themselves: only copies of it may be given away. */
  Store shared(Store met) {
    return owned(met.clone());
  }

  private Store store() {
    TCPStore raw = inTime(unreachable(), this::opened);
    raw.setTimeout(milliseconds(1));
    return place.attempt() == null
        ? raw
        : owned(new PrefixStore("ringflow/" + place.attempt(), shared(raw)));
  }

  private TCPStore opened() {
    var options = new TCPStoreOptions();
    options
        .port((short) place.port())
        .isServer(keepsStore())
        .waitWorkers(false) // the roll is called, and says who is missing
        .timeout(milliseconds(10)); // given up before, without c10d's many words about it
    if (keepsStore()) {
      options.masterListenFd(new IntOptional(listening()));
    }
    String host = keepsStore() ? loopbackIfAny() : place.host();
    awaitListener(host);
    return owned(new TCPStore(host, options));
  }

  private boolean keepsStore() {
    return place.rank() == 0 && place.attempt() == null;
  }

  private int listening() {
    try {
      return ListeningSocket.open(place.listen(), place.port());
    } catch (IOException e) {
      throw complaint.of(
          String.format(
              "the store can't listen on %s:%d (%s); RINGFLOW_LISTEN names an address of this"
                  + " machine, MASTER_PORT a free port",
              place.listen(), place.port(), e.getMessage()),
          e);
    }
  }

  /** Tries until somebody listens there; c10d would try less and less often. */
  private void awaitListener(String host) {
    long deadline = System.nanoTime() + place.timeout().toNanos();
    while (true) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      try (var socket = new Socket(Proxy.NO_PROXY)) {
        socket.connect(new InetSocketAddress(host, place.port()), (int) Math.max(1000, left));
        return;
      } catch (IOException e) {
        if (left <= 0) {
          throw complaint.of(unreachable() + " (" + e.getMessage() + ")", e);
        }
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }

  private String unreachable() {
    return String.format(
        "can't reach the store of rank 0 at %s:%d within %s",
        place.host(), place.port(), complaint.seconds());
  }

  /** Where rank 0 itself reaches a store that listens on any address. */
  private String loopbackIfAny() {
    return switch (place.listen()) {
      case "0.0.0.0" -> "127.0.0.1";
      case "::" -> "::1";
      default -> place.listen();
    };
  }

  /**
   * Everybody says that he is there, and looks until all others are. Whoever gives up first may be
   * rank 0, and takes the store with it: the others then know who was missing from their last look.
   */
  private Store roll(Store met) {
    List<Integer> missing = IntStream.range(0, place.size()).boxed().collect(Collectors.toList());
    long start = System.nanoTime();
    try {
      met.set(here(place.rank()), "yes");
      while (System.nanoTime() - start < place.timeout().toNanos()) {
        missing.removeIf(rank -> isHere(met, rank));
        if (missing.isEmpty()) {
          return met;
        }
        LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      }
    } catch (RuntimeException e) {
      throw complaint.of("the store of rank 0 is gone" + missed(missing), e);
    }
    throw complaint.of("not everybody came within " + complaint.seconds() + missed(missing), null);
  }

  private static String missed(List<Integer> ranks) {
    return ranks.stream()
        .map(String::valueOf)
        .collect(Collectors.joining(", ", "; missing: rank ", ""));
  }

  private static boolean isHere(Store met, int rank) {
    try (Scope look = Scope.inference()) {
      return met.check(new StringVector(here(rank)));
    }
  }

  private static String here(int rank) {
    return "ringflow/here/" + rank;
  }

  /** A new connection of all with all. */
  Backend gloo(Store met) {
    return inTime(
        "the processes can't connect to each other",
        () -> owned(new ProcessGroupGloo(shared(met), place.rank(), place.size(), glooOptions())));
  }

  /** NCCL between the processes' GPUs; it connects them at the first use. */
  Backend nccl(Store met) {
    try {
      return attempted(
          "NCCL can't start",
          () -> owned(NcclBackend.of(shared(met), place.rank(), place.size(), milliseconds(1))));
    } catch (LinkageError e) {
      throw complaint.of(
          "NCCL can't start: org.bytedeco:cuda, with natives, must be beside pytorch, as -Pcuda has"
              + " it",
          e);
    }
  }

  private ProcessGroupGloo.Options glooOptions() {
    ProcessGroupGloo.Options options = ProcessGroupGloo.Options.create(milliseconds(1));
    String network = System.getenv("GLOO_SOCKET_IFNAME");
    options
        .devices()
        .push_back(
            network != null && !network.isBlank()
                ? ProcessGroupGloo.createDeviceForInterface(network.strip())
                : ProcessGroupGloo.createDeviceForHostname(ownAddress()));
    return options;
  }

  /** The address by which this machine reaches the store: there the others can reach it. */
  private String ownAddress() {
    try (var socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(place.host(), place.port())); // sends nothing
      return socket.getLocalAddress().getHostAddress();
    } catch (IOException | UncheckedIOException e) {
      throw complaint.of("there is no way to " + place.host() + " (" + e.getMessage() + ")", e);
    }
  }

  private Milliseconds milliseconds(int timeouts) {
    return new Milliseconds(timeouts * place.timeout().toMillis());
  }

  /**
   * Lets another thread do it, and gives it up in time. c10d has time-outs, but waits for ever for
   * an answer of a store that hangs, or of another program on the store's port.
   */
  private <T> T inTime(String otherwise, Supplier<T> work) {
    var task =
        new FutureTask<>(
            () -> {
              try (Scope scope = Scope.inference()) {
                return attempted(otherwise, work);
              }
            });
    var thread = new Thread(task, "joins-team");
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(place.timeout().plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ProcessGroupException failed
          ? failed
          : complaint.of(otherwise, e.getCause());
    } catch (TimeoutException e) {
      owned.clear(); // native code is still at work with these
      throw complaint.of(otherwise, e);
    } catch (InterruptedException e) {
      owned.clear();
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    }
  }

  private <T> T attempted(String otherwise, Supplier<T> work) {
    try {
      return work.get();
    } catch (ProcessGroupException e) {
      throw e;
    } catch (RuntimeException e) {
      throw complaint.quoting(otherwise, e);
    }
  }

  /** Kept until the team is left; what was made last goes first. */
  <T extends Pointer> T owned(T pointer) {
    pointer.retainReference();
    owned.push(pointer);
    return pointer;
  }

  /** Lets go of everything. */
  void release() {
    while (!owned.isEmpty()) {
      owned.pop().releaseReference();
    }
  }
}
