package io.ringflow.distributed;

import io.ringflow.core.Device;
import io.ringflow.spi.Scope;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.Backend;
import org.bytedeco.pytorch.PrefixStore;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Work;

/**
 * A team by libtorch's c10d: Gloo between processors, and NCCL between GPUs.
 *
 * <p>Gloo is there in any case. It carries what is not on a GPU, and it notices at once when a
 * process is gone, which NCCL does not.
 */
final class C10dProcessGroup implements ProcessGroup {
  private static final long MILLIS_TO_END = 3000;

  private final Rendezvous place;
  private final ErrorText complaint;
  private final GroupConnector joining;
  private final Set<Work> underWay = Collections.newSetFromMap(new IdentityHashMap<>());
  private Backend processors;
  private Backend gpus; // null where there are none
  private Heartbeat heartbeat; // null where there are no GPUs
  private volatile boolean failed;

  private C10dProcessGroup(Rendezvous place) {
    this.place = place;
    this.complaint = new ErrorText(place);
    this.joining = new GroupConnector(place);
  }

  static ProcessGroup join(Rendezvous place, Device device) {
    C10dProcessGroup group = new C10dProcessGroup(place);
    try (Scope scope = Scope.inference()) {
      group.connect(device);
      return group;
    } catch (RuntimeException | Error e) {
      group.failed = true;
      group.close();
      throw e;
    }
  }

  private void connect(Device device) {
    Store met = joining.meet();
    processors = joining.gloo(met);
    if (device == Device.CUDA) {
      Store apart = joining.owned(new PrefixStore("beat", joining.shared(met)));
      heartbeat = new Heartbeat(joining.gloo(apart), this::end);
      gpus = joining.nccl(met);
    }
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
        failed = true;
        throw complaint.lost(e);
      } finally {
        underWay.remove(work);
        work.releaseReference();
      }
    };
  }

  /**
   * Ends this process: its GPU waits for one that is gone, and never stops. It has a moment to do
   * so by itself where the main thread has noticed.
   */
  private void end(RuntimeException e) {
    if (failed) {
      try {
        Thread.sleep(MILLIS_TO_END);
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
      }
    } else {
      System.err.println("ringflow: " + complaint.lost(e).getMessage());
    }
    Runtime.getRuntime().halt(1);
  }

  /** Connections are closed, and the others hear of it, when nothing holds them any more. */
  @Override
  public void close() {
    if (heartbeat != null) {
      heartbeat.end(!failed);
      heartbeat = null;
    }
    if (gpus != null) {
      NcclBackend.end(gpus, failed);
      gpus = null;
    }
    underWay.forEach(Pointer::releaseReference);
    underWay.clear();
    joining.release();
  }
}
