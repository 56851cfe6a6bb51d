package io.ringflow.internal.kernels;

import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.DoubleOptional;
import org.bytedeco.pytorch.LongVector;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Attention of many positions, by libtorch's kernels or by cuDNN's. */
public final class AttentionKernels {
  /** As libtorch's SDPBackend counts. */
  private static final long PLAIN = 0;

  private static final long FLASH = 1;
  private static final long MEMORY_EFFICIENT = 2;
  private static final long CUDNN = 3;

  /**
   * A graph of cuDNN's attention crashes the process unless sequences are multiples of this (seen
   * with cuDNN 9.14), presumably because it pads others by numbers that are freed after the call.
   */
  private static final long CUDNN_TILE = 128;

  private AttentionKernels() {}

  /**
   * Attention, {@code [B, heads, T, width / heads]}.
   *
   * @param allowed true where the row's position may attend to the column's; null for all
   * @param causal whether a position attends to itself and those before it alone
   */
  public static Tensor attend(
      Tensor queries, Tensor keys, Tensor values, Tensor allowed, boolean causal) {
    if (!queries.is_cuda() || !Tensors.recordsGradients() || !isHalf(queries)) {
      return call(queries, keys, values, allowed, causal);
    }
    // What is preferred counts in the whole process: nobody else may ask in between.
    synchronized (AttentionKernels.class) {
      if (queries.size(2) % CUDNN_TILE == 0 && keys.size(2) % CUDNN_TILE == 0) {
        preferCudnn();
      } else {
        preferFlash();
      }
      return call(queries, keys, values, allowed, causal);
    }
  }

  private static boolean isHalf(Tensor x) {
    return x.scalar_type().intern() == ScalarType.BFloat16;
  }

  private static Tensor call(
      Tensor queries, Tensor keys, Tensor values, Tensor allowed, boolean causal) {
    TensorOptional mask = allowed == null ? new TensorOptional() : new TensorOptional(allowed);
    return torch.scaled_dot_product_attention(
        queries, keys, values, mask, 0.0, causal, new DoubleOptional(), false);
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
