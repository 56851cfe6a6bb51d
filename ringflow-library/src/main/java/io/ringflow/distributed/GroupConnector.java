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
 * Connects the processes of a group: rank 0 runs a store, all processes register there, and Gloo
 * connects every process with every other.
 *
 * <p>Nothing here waits longer than the time-out and {@link #GRACE}.
 */
final class GroupConnector {
  /** Added to the time-out, so that a call that times out by itself can still say why. */
  private static final Duration GRACE = Duration.ofSeconds(3);

  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  private final Rendezvous rendezvous;
  private final ErrorText errors;
  private final Deque<Pointer> owned = new ArrayDeque<>();

  GroupConnector(Rendezvous rendezvous) {
    this.rendezvous = rendezvous;
    this.errors = new ErrorText(rendezvous);
  }

  /**
   * Waits until all processes have registered at the store.
   *
   * @return the store
   */
  Store meet() {
    Store store = store();
    inTime("the store of rank 0 does not answer", () -> awaitAll(store));
    return store;
  }

  /** A copy of the store's handle: c10d's classes take ownership of the one they are given. */
  Store shared(Store store) {
    return owned(store.clone());
  }

  private Store store() {
    TCPStore raw = inTime(unreachable(), this::opened);
    raw.setTimeout(milliseconds(1));
    return rendezvous.attempt() == null
        ? raw
        : owned(new PrefixStore("ringflow/" + rendezvous.attempt(), shared(raw)));
  }

  private TCPStore opened() {
    var options = new TCPStoreOptions();
    options
        .port((short) rendezvous.port())
        .isServer(runsStore())
        .waitWorkers(false) // awaitAll does, and says which ranks are missing
        .timeout(milliseconds(10)); // inTime gives up before, without c10d's long message
    if (runsStore()) {
      options.masterListenFd(new IntOptional(listeningSocket()));
    }
    String host = runsStore() ? ownStoreHost() : rendezvous.host();
    awaitListener(host);
    return owned(new TCPStore(host, options));
  }

  private boolean runsStore() {
    return rendezvous.rank() == 0 && rendezvous.attempt() == null;
  }

  private int listeningSocket() {
    try {
      return ListeningSocket.open(rendezvous.listen(), rendezvous.port());
    } catch (IOException e) {
      throw errors.of(
          String.format(
              "the store can't listen on %s:%d (%s); RINGFLOW_LISTEN names an address of this"
                  + " machine, MASTER_PORT a free port",
              rendezvous.listen(), rendezvous.port(), e.getMessage()),
          e);
    }
  }

  /** Polls until the store listens; c10d's own polling grows slower with every attempt. */
  private void awaitListener(String host) {
    long deadline = System.nanoTime() + rendezvous.timeout().toNanos();
    while (true) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      try (var socket = new Socket(Proxy.NO_PROXY)) {
        socket.connect(new InetSocketAddress(host, rendezvous.port()), (int) Math.max(1000, left));
        return;
      } catch (IOException e) {
        if (left <= 0) {
          throw errors.of(unreachable() + " (" + e.getMessage() + ")", e);
        }
      }
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
  }

  private String unreachable() {
    return String.format(
        "can't reach the store of rank 0 at %s:%d within %s",
        rendezvous.host(), rendezvous.port(), errors.seconds());
  }

  /** The address at which rank 0 reaches its own store, which may listen on all addresses. */
  private String ownStoreHost() {
    return switch (rendezvous.listen()) {
      case "0.0.0.0" -> "127.0.0.1";
      case "::" -> "::1";
      default -> rendezvous.listen();
    };
  }

  /**
   * Registers this process, and polls until all others have registered. If rank 0 is the first to
   * give up, its store ends with it: the others then name the ranks that their last poll missed.
   */
  private Store awaitAll(Store store) {
    List<Integer> missing =
        IntStream.range(0, rendezvous.size()).boxed().collect(Collectors.toList());
    long start = System.nanoTime();
    try {
      store.set(key(rendezvous.rank()), "yes");
      while (System.nanoTime() - start < rendezvous.timeout().toNanos()) {
        missing.removeIf(rank -> isRegistered(store, rank));
        if (missing.isEmpty()) {
          return store;
        }
        LockSupport.parkNanos(POLL_INTERVAL.toNanos());
      }
    } catch (RuntimeException e) {
      throw errors.of("the store of rank 0 is gone" + listed(missing), e);
    }
    throw errors.of("not all processes joined within " + errors.seconds() + listed(missing), null);
  }

  private static String listed(List<Integer> ranks) {
    return ranks.stream()
        .map(String::valueOf)
        .collect(Collectors.joining(", ", "; missing: rank ", ""));
  }

  private static boolean isRegistered(Store store, int rank) {
    try (Scope scope = Scope.inference()) {
      return store.check(new StringVector(key(rank)));
    }
  }

  private static String key(int rank) {
    return "ringflow/here/" + rank;
  }

  /** A new set of connections between all processes. */
  Backend gloo(Store store) {
    return inTime(
        "the processes can't connect to each other",
        () ->
            owned(
                new ProcessGroupGloo(
                    shared(store), rendezvous.rank(), rendezvous.size(), glooOptions())));
  }

  /** NCCL between the processes' GPUs, which connects them at the first use. */
  Backend nccl(Store store) {
    try {
      return attempted(
          "NCCL can't start",
          () ->
              owned(
                  NcclBackend.of(
                      shared(store), rendezvous.rank(), rendezvous.size(), milliseconds(1))));
    } catch (LinkageError e) {
      throw errors.of(
          "NCCL can't start: org.bytedeco:cuda, with natives, must be beside pytorch, as -Pcuda has"
              + " it",
          e);
    }
  }

  private ProcessGroupGloo.Options glooOptions() {
    ProcessGroupGloo.Options options = ProcessGroupGloo.Options.create(milliseconds(1));
    String interfaceName = System.getenv("GLOO_SOCKET_IFNAME");
    options
        .devices()
        .push_back(
            interfaceName != null && !interfaceName.isBlank()
                ? ProcessGroupGloo.createDeviceForInterface(interfaceName.strip())
                : ProcessGroupGloo.createDeviceForHostname(ownAddress()));
    return options;
  }

  /** This machine's address on the network of the store, where the other processes reach it. */
  private String ownAddress() {
    try (var socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(rendezvous.host(), rendezvous.port())); // sends nothing
      return socket.getLocalAddress().getHostAddress();
    } catch (IOException | UncheckedIOException e) {
      throw errors.of("there is no route to " + rendezvous.host() + " (" + e.getMessage() + ")", e);
    }
  }

  private Milliseconds milliseconds(int timeouts) {
    return new Milliseconds(timeouts * rendezvous.timeout().toMillis());
  }

  /**
   * Runs c10d's calls on another thread, and gives up when the time is over. c10d has time-outs of
   * its own, but waits for ever for the answer of a store that hangs, or of another program that
   * has the store's port.
   *
   * @param problem the message if it fails
   */
  private <T> T inTime(String problem, Supplier<T> work) {
    var task =
        new FutureTask<>(
            () -> {
              try (Scope scope = Scope.inference()) {
                return attempted(problem, work);
              }
            });
    var thread = new Thread(task, "join-process-group");
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(rendezvous.timeout().plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ProcessGroupException failed
          ? failed
          : errors.of(problem, e.getCause());
    } catch (TimeoutException e) {
      owned.clear(); // never released: native code is still using them
      throw errors.of(problem, e);
    } catch (InterruptedException e) {
      owned.clear();
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    }
  }

  private <T> T attempted(String problem, Supplier<T> work) {
    try {
      return work.get();
    } catch (ProcessGroupException e) {
      throw e;
    } catch (RuntimeException e) {
      throw errors.quoting(problem, e);
    }
  }

  /** Keeps a native object until {@link #release}, which releases the newest first. */
  <T extends Pointer> T owned(T pointer) {
    pointer.retainReference();
    owned.push(pointer);
    return pointer;
  }

  void release() {
    while (!owned.isEmpty()) {
      owned.pop().releaseReference();
    }
  }
}
