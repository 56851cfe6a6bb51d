package io.ringflow.internal.torch;

import io.ringflow.spi.Scope;
import org.bytedeco.pytorch.LongVector;
import org.bytedeco.pytorch.global.torch;

/** Which of libtorch's attention kernels are tried first, in the whole process. */
public final class AttentionKernels {
  /** As libtorch's SDPBackend counts. */
  private static final long PLAIN = 0;

  private static final long FLASH = 1;
  private static final long MEMORY_EFFICIENT = 2;
  private static final long CUDNN = 3;

  /** cuDNN's kernels crash the process when a graph of them has shorter sequences (9.14, H200). */
  private static final int MIN_CUDNN_POSITIONS = 64;

  private AttentionKernels() {}

  /** Those that are best, and safe to capture, for sequences of so many positions. */
  public static void preferFor(int positions) {
    if (positions >= MIN_CUDNN_POSITIONS) {
      preferCudnn();
    } else {
      preferFlash();
    }
  }

  /** cuDNN's, where they can do it; on an H200 they take six tenths of the time of libtorch's. */
  public static void preferCudnn() {
    prefer(CUDNN, FLASH, MEMORY_EFFICIENT, PLAIN);
  }

  /** libtorch's own, which it prefers unless told otherwise. */
  public static void preferFlash() {
    prefer(FLASH, MEMORY_EFFICIENT, PLAIN, CUDNN);
  }

  private static void prefer(long... order) {
    try (Scope scope = Scope.inference()) {
      torch.globalContext().setSDPPriorityOrder(new LongVector(order));
    }
  }
}
