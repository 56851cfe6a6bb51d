package io.ringflow.internal.torch;

import io.ringflow.core.Device;
import io.ringflow.internal.natives.BlasThreads;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.DeviceGuardImplInterface;
import org.bytedeco.pytorch.Stream;
import org.bytedeco.pytorch.global.torch;

/**
 * Lets several threads compute side by side, each with its share of a device.
 *
 * <p>Left alone they would fight: on the CPU each operation of each thread takes all cores, and on
 * a GPU all threads' work waits in one queue.
 */
public final class ComputeThreads {
  private ComputeThreads() {}

  /**
   * Gives the calling thread its share; call it before the thread's first computation.
   *
   * <p>On the CPU its operations take {@code cores / sharers} cores from now on, at least one.
   * libtorch keeps that number for each thread (one that has yet to compute starts with the last
   * number anybody set), and its BLAS one for the whole process: all who compute at a time must be
   * among the sharers. On a GPU the thread gets a queue (a CUDA stream) of its own, so that its
   * tensors must stay with it.
   *
   * @param sharers how many threads compute at a time; one alone is left as it is
   */
  public static void share(Device device, int sharers) {
    if (sharers < 1) {
      throw new IllegalArgumentException("sharers must be at least 1, but is " + sharers);
    }
    if (sharers == 1) {
      return;
    }
    if (device == Device.CUDA) {
      ownStream(device);
    } else {
      cores(Math.max(1, Runtime.getRuntime().availableProcessors() / sharers));
    }
  }

  /**
   * The sharers are gone: what computes next may take the whole CPU again.
   *
   * @param sharers as in {@link #share}
   */
  public static void release(Device device, int sharers) {
    if (device == Device.CPU && sharers > 1) {
      cores(Runtime.getRuntime().availableProcessors());
    }
  }

  private static void cores(int count) {
    torch.set_num_threads(count);
    BlasThreads.share(count);
  }

  private static void ownStream(Device device) {
    try (Scope scope = Scope.inference()) {
      DeviceGuardImplInterface streams = torch.getDeviceGuardImpl(torch.DeviceType.CUDA);
      Stream own = streams.getStreamFromGlobalPool(Tensors.handle(device));
      torch.setCurrentStream(own);
    }
  }
}
