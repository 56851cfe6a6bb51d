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
 * Asks all processes of a team, again and again, whether they are there, whatever their main
 * threads do.
 *
 * <p>GPUs need it: a sum by NCCL whose partner is gone never ends, the thread that waits for its
 * GPU never returns, and so never hears what Gloo knows at once.
 *
 * <p>A process that leaves says so in its next beat. All hear that in the same beat, and stop
 * asking: what comes after is no loss.
 */
final class Heartbeat {
  private static final long PAUSE_MILLIS = 500;
  private static final Duration MAX_GOODBYE = Duration.ofSeconds(3);

  private final Backend backend;
  private final Consumer<RuntimeException> lost;
  private final Thread thread;
  private volatile boolean leaving;

  /**
   * Begins to beat.
   *
   * @param backend for this alone, because its sums go in an order of their own; borrowed
   * @param lost what to do when another process is gone, or silent for the backend's time-out
   */
  Heartbeat(Backend backend, Consumer<RuntimeException> lost) {
    this.backend = backend;
    this.lost = lost;
    this.thread = new Thread(this::beat, "team-heartbeat");
    thread.setDaemon(true);
    thread.start();
  }

  private void beat() {
    try {
      while (!somebodyLeaves()) {
        Thread.sleep(leaving ? 0 : PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      lost.accept(e);
    }
  }

  private boolean somebodyLeaves() {
    try (Scope scope = Scope.inference()) {
      Tensor leavers = Tensors.zeros(Precision.FLOAT64, Device.CPU, 1);
      leavers.fill_(new Scalar(leaving ? 1.0 : 0.0));
      backend.allreduce(new TensorVector(leavers))._wait();
      return Tensors.scalar(leavers) > 0;
    }
  }

  /**
   * Stops; returns when the others know, or can't be told.
   *
   * @param goodbye whether this process leaves in order; otherwise its silence is a loss to the
   *     others
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
