package io.ringflow.team;

import io.ringflow.torch.Device;
import io.ringflow.torch.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
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
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Work;

/**
 * A team by libtorch's c10d: a store through which processes find each other, Gloo between
 * processors, and NCCL between GPUs.
 *
 * <p>Gloo is there in any case. It carries what is not on a GPU, and it notices at once when a
 * process is gone, which NCCL does not.
 */
final class ProcessTeam implements Team {
  private final Rendezvous place;
  private final Deque<Pointer> owned = new ArrayDeque<>();
  private final Set<Work> underWay = Collections.newSetFromMap(new IdentityHashMap<>());
  private Backend processors;
  private Backend gpus; // null where there are none

  private ProcessTeam(Rendezvous place) {
    this.place = place;
  }

  static Team join(Rendezvous place, Device device) {
    ProcessTeam team = new ProcessTeam(place);
    try (Scope scope = Scope.inference()) {
      team.connect(device);
      return team;
    } catch (RuntimeException | Error e) {
      team.close();
      throw e;
    }
  }

  private void connect(Device device) {
    Store met = store();
    callTheRoll(met);
    processors =
        owned(
            attempted(
                "the processes can't connect to each other",
                () -> new ProcessGroupGloo(shared(met), rank(), size(), gloo())));
    if (device == Device.CUDA) {
      gpus =
          owned(
              attempted(
                  "NCCL can't start",
                  () -> NcclBackend.of(shared(met), rank(), size(), milliseconds())));
    }
  }

  /** c10d's classes take a store for themselves: only copies of it may be given away. */
  private Store shared(Store met) {
    return owned(met.clone());
  }

  private Store store() {
    var options = new TCPStoreOptions();
    options
        .port((short) place.port())
        .isServer(keepsStore())
        .waitWorkers(false) // the roll is called, and says who is missing
        .timeout(milliseconds());
    if (keepsStore()) {
      options.masterListenFd(new IntOptional(listening()));
    }
    TCPStore raw =
        owned(
            attempted(
                "can't reach the store of rank 0 at "
                    + place.host()
                    + ":"
                    + place.port()
                    + " within "
                    + seconds(),
                () -> new TCPStore(keepsStore() ? loopbackIfAny() : place.host(), options)));
    return place.attempt() == null
        ? raw
        : owned(new PrefixStore("ringflow/" + place.attempt(), shared(raw)));
  }

  private boolean keepsStore() {
    return rank() == 0 && place.attempt() == null;
  }

  private int listening() {
    try {
      return ListeningSocket.open(place.listen(), place.port());
    } catch (IOException e) {
      throw new TeamException(
          String.format(
              "%s: the store can't listen on %s:%d (%s); RINGFLOW_LISTEN names an address of this"
                  + " machine, MASTER_PORT a free port",
              me(), place.listen(), place.port(), e.getMessage()),
          e);
    }
  }

  /** Where rank 0 itself reaches a store that listens on any address. */
  private String loopbackIfAny() {
    return switch (place.listen()) {
      case "0.0.0.0" -> "127.0.0.1";
      case "::" -> "::1";
      default -> place.listen();
    };
  }

  /** Everybody says that he is there, and waits for all others. */
  private void callTheRoll(Store met) {
    attempted(
        "the store of rank 0 is gone",
        () -> {
          met.set(here(rank()), "yes");
          return met;
        });
    try {
      met._wait(keys(IntStream.range(0, size()).boxed().toList()));
    } catch (RuntimeException e) {
      String missing =
          IntStream.range(0, size())
              .filter(rank -> !isHere(met, rank))
              .mapToObj(Integer::toString)
              .collect(Collectors.joining(", "));
      throw new TeamException(
          String.format(
              "%s: not everybody came within %s; missing: rank %s",
              me(), seconds(), missing.isEmpty() ? "0, with its store" : missing),
          e);
    }
  }

  private static boolean isHere(Store met, int rank) {
    try {
      return met.check(keys(List.of(rank)));
    } catch (RuntimeException e) {
      return true; // the store itself is gone
    }
  }

  private static StringVector keys(List<Integer> ranks) {
    return new StringVector(ranks.stream().map(ProcessTeam::here).toArray(String[]::new));
  }

  private static String here(int rank) {
    return "ringflow/here/" + rank;
  }

  private ProcessGroupGloo.Options gloo() {
    ProcessGroupGloo.Options options = ProcessGroupGloo.Options.create(milliseconds());
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
      throw new TeamException(
          me() + ": there is no way to " + place.host() + " (" + e.getMessage() + ")", e);
    }
  }

  private Milliseconds milliseconds() {
    return new Milliseconds(place.timeout().toMillis());
  }

  private String seconds() {
    return place.timeout().toSeconds() + " s";
  }

  private String me() {
    return "rank " + rank() + " of " + size();
  }

  @Override
  public int rank() {
    return place.rank();
  }

  @Override
  public int size() {
    return place.size();
  }

  @Override
  public Pending sum(Tensor tensor) {
    return begun(backend(tensor).allreduce(new TensorVector(tensor)));
  }

  @Override
  public void fromLeader(Tensor tensor) {
    begun(backend(tensor).broadcast(new TensorVector(tensor))).await();
  }

  private Backend backend(Tensor tensor) {
    return tensor.is_cuda() ? gpus : processors;
  }

  /** The work outlives the caller's scope; awaiting it ends it. */
  private Pending begun(Work work) {
    work.retainReference();
    underWay.add(work);
    return () -> {
      try {
        work._wait();
      } catch (RuntimeException e) {
        throw new TeamException(me() + ": " + reason(e), e);
      } finally {
        underWay.remove(work);
        work.releaseReference();
      }
    };
  }

  private String reason(RuntimeException e) {
    String said = said(e);
    return said.contains("imed out")
        ? "another process did not answer within "
            + seconds()
            + ", it may hang; RINGFLOW_TIMEOUT sets how long to wait"
        : "another process is gone (" + said + ")";
  }

  /** libtorch's first line without the name of its own source file. */
  private static String said(RuntimeException e) {
    String line = String.valueOf(e.getMessage()).strip().lines().findFirst().orElse("");
    return line.replaceFirst("^\\[[^\\]]*\\] ?", "");
  }

  private <T> T attempted(String otherwise, Supplier<T> work) {
    try {
      return work.get();
    } catch (TeamException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new TeamException(me() + ": " + otherwise + " (" + said(e) + ")", e);
    }
  }

  /** Kept until the team is left; what was made last goes first. */
  private <T extends Pointer> T owned(T pointer) {
    pointer.retainReference();
    owned.push(pointer);
    return pointer;
  }

  /** Connections are closed, and the others hear of it, when nothing holds them any more. */
  @Override
  public void close() {
    underWay.forEach(Pointer::releaseReference);
    underWay.clear();
    while (!owned.isEmpty()) {
      owned.pop().releaseReference();
    }
  }
}
