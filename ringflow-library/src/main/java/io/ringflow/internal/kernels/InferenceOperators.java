package io.ringflow.internal.kernels;

import io.ringflow.core.Device;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Tensors;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;

/**
 * The operators of a residual network between its matrix products, where no gradients are wanted:
 * fewer calls and fewer passes over memory than libtorch's, in every precision.
 */
public final class InferenceOperators {
  private static volatile InferenceKernels everywhere; // null except in tests

  private final InferenceKernels kernels;

  private InferenceOperators(InferenceKernels kernels) {
    this.kernels = kernels;
  }

  /** Lets kernels compute on every device; null for the usual ones. */
  static void useEverywhere(InferenceKernels kernels) {
    everywhere = kernels;
  }

  /**
   * Operators for an evaluation; nothing where libtorch's are to be used: in training, for sizes
   * and devices that there are no kernels for, and where the system property {@code ringflow.fused}
   * is false.
   *
   * @param vectors that the network starts from, {@code [B, T, width]}
   */
  public static Optional<InferenceOperators> of(Tensor vectors, EvaluationContext context) {
    if (!FusedOperators.ENABLED || Tensors.recordsGradients() || context.dropout().active()) {
      return Optional.empty();
    }
    InferenceKernels kernels = everywhere;
    if (kernels == null) {
      kernels = context.device() == Device.CUDA ? CudaInference.shared() : null;
    }
    return kernels != null && kernels.fit(vectors)
        ? Optional.of(new InferenceOperators(kernels))
        : Optional.empty();
  }

  /** A sum of branches, and its rows with mean 0 and variance 1. */
  public record Normalized(Tensor sum, Tensor values) {}

  /** The first sum: the vectors themselves. */
  public Normalized start(Tensor vectors) {
    Tensor sum = vectors.contiguous();
    return new Normalized(sum, kernels.normalize(sum));
  }

  /**
   * The next sum.
   *
   * @param branch {@code [B, n, width]}: is added to the last n of each sequence, which alone are
   *     left; overwritten
   */
  public Normalized add(Normalized to, Tensor branch) {
    Tensor sum = branch.contiguous();
    return new Normalized(sum, kernels.addNormalize(to.sum, sum));
  }

  /**
   * Attention of one position to itself and all before it, as {@link InferenceKernels#attendLast}
   * has it; nothing where there is no kernel for it.
   */
  public Optional<Tensor> attendLast(Tensor mapped, Tensor keys, Tensor values, long position) {
    return mapped.size(1) == 1 && kernels.fitAttention(keys)
        ? Optional.of(kernels.attendLast(mapped.contiguous(), keys, values, position))
        : Optional.empty();
  }
}
