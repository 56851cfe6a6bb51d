package io.ringflow.distributed;

import io.ringflow.core.Device;
import io.ringflow.spi.Scope;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Consumer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.Backend;
import org.bytedeco.pytorch.PrefixStore;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Work;

/**
 * A process group by libtorch's c10d: Gloo between CPUs, and NCCL between GPUs.
 *
 * <p>A group of GPUs has Gloo too: it carries tensors that are not on a GPU, and it notices at once
 * when a process is gone, which NCCL does not.
 */
final class C10dProcessGroup implements ProcessGroup {
  private final Rendezvous rendezvous;
  private final ErrorText errors;
  private final GroupConnector connector;
  private final Consumer<ProcessGroupException> onLost;
  private final Set<Work> underWay = Collections.newSetFromMap(new IdentityHashMap<>());
  private Backend gloo;
  private Backend nccl; // null in a group of CPUs
  private Heartbeat heartbeat; // null where the group has none
  private volatile boolean failed;
  private volatile RuntimeException loss; // what the heartbeat heard; null while all are there

  private C10dProcessGroup(Rendezvous rendezvous, Consumer<ProcessGroupException> onLost) {
    this.rendezvous = rendezvous;
    this.errors = new ErrorText(rendezvous);
    this.connector = new GroupConnector(rendezvous);
    this.onLost = onLost;
  }

  /**
   * Joins a group.
   *
   * @param beats whether the group has a heartbeat; the same on all processes
   */
  static ProcessGroup join(
      Rendezvous rendezvous, Device device, boolean beats, Consumer<ProcessGroupException> onLost) {
    C10dProcessGroup group = new C10dProcessGroup(rendezvous, onLost);
    try (Scope scope = Scope.inference()) {
      group.connect(device, beats);
      return group;
    } catch (RuntimeException | Error e) {
      group.failed = true;
      group.close();
      throw e;
    }
  }

  private void connect(Device device, boolean beats) {
    Store store = connector.meet();
    gloo = connector.gloo(store);
    if (beats) {
      Store apart = connector.owned(new PrefixStore("beat", connector.shared(store)));
      heartbeat = new Heartbeat(connector.gloo(apart), this::lose);
    }
    if (device == Device.CUDA) {
      nccl = connector.nccl(store);
    }
  }

  @Override
  public int rank() {
    return rendezvous.rank();
  }

  @Override
  public int size() {
    return rendezvous.size();
  }

  @Override
  public void abort() {
    failed = true;
  }

  @Override
  public Pending allReduce(Tensor tensor) {
    return begun(backend(tensor).allreduce(new TensorVector(tensor)));
  }

  @Override
  public void broadcast(Tensor tensor) {
    begun(backend(tensor).broadcast(new TensorVector(tensor))).await();
  }

  private Backend backend(Tensor tensor) {
    if (loss != null) {
      throw errors.lost(loss);
    }
    return tensor.is_cuda() ? nccl : gloo;
  }

  /** The work outlives the caller's scope; awaiting it ends it. */
  private Pending begun(Work work) {
    work.retainReference();
    underWay.add(work);
    return () -> {
      try {
        work._wait();
      } catch (RuntimeException e) {
        failed = true;
        throw errors.lost(e);
      } finally {
        underWay.remove(work);
        work.releaseReference();
      }
    };
  }

  private void lose(RuntimeException e) {
    failed = true;
    loss = e;
    onLost.accept(errors.lost(e));
  }

  /** Connections are closed, and the other processes notice, when nothing holds them any more. */
  @Override
  public void close() {
    if (heartbeat != null) {
      heartbeat.end(!failed);
      heartbeat = null;
    }
    if (nccl != null) {
      NcclBackend.end(nccl, failed);
      nccl = null;
    }
    underWay.forEach(Pointer::releaseReference);
    underWay.clear();
    connector.release();
  }
}
