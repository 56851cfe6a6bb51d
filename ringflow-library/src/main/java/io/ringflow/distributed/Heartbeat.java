package io.ringflow.distributed;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import java.time.Duration;
import java.util.function.Consumer;
import org.bytedeco.pytorch.Backend;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;

/**
 * Checks on a thread of its own, twice a second, that all processes of a group are there, whatever
 * their main threads do.
 *
 * <p>Groups of GPUs need this: an NCCL all-reduce whose peer is gone never ends, and the thread
 * that waits for its GPU never returns. Gloo, which carries the heartbeat, notices at once.
 *
 * <p>Each beat is an all-reduce of one number: how many processes are about to leave. All processes
 * see that number in the same beat and stop their heartbeats if it is not zero: an end after that
 * is no loss.
 */
final class Heartbeat {
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration MAX_GOODBYE = Duration.ofSeconds(3);

  private final Backend backend;
  private final Consumer<RuntimeException> onLost;
  private final Thread thread;
  private volatile boolean leaving;

  /**
   * Starts the thread.
   *
   * @param backend used by this heartbeat only, because all processes must make the same calls in
   *     the same order; borrowed
   * @param onLost called when another process is gone, or silent for the backend's time-out
   */
  Heartbeat(Backend backend, Consumer<RuntimeException> onLost) {
    this.backend = backend;
    this.onLost = onLost;
    this.thread = new Thread(this::beat, "process-group-heartbeat");
    thread.setDaemon(true);
    thread.start();
  }

  private void beat() {
    try {
      while (leavers() == 0) {
        Thread.sleep(leaving ? 0 : PAUSE.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      onLost.accept(e);
    }
  }

  private double leavers() {
    try (Scope scope = Scope.inference()) {
      Tensor leavers = Tensors.zeros(Precision.FLOAT64, Device.CPU, 1);
      leavers.fill_(new Scalar(leaving ? 1.0 : 0.0));
      backend.allreduce(new TensorVector(leavers))._wait();
      return Tensors.scalar(leavers);
    }
  }

  /**
   * Stops the heartbeat; returns when the other processes know, or can't be told.
   *
   * @param goodbye whether this process leaves because its work is done; if not, the other
   *     processes see its end as a loss
   */
  void end(boolean goodbye) {
    if (goodbye) {
      leaving = true;
    } else {
      thread.interrupt();
    }
    try {
      thread.join(MAX_GOODBYE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
