package io.ringflow.internal.kernels;

import io.ringflow.spi.Dropout;
import org.bytedeco.pytorch.Tensor;

/**
 * What fused operators compute, forward and backward, without gradients. All tensors are contiguous
 * and {@code [B, T, width]} unless said otherwise; results live in the caller's scope.
 */
interface FusedKernels {
  /**
   * Normalised rows.
   *
   * @param values of mean 0 and variance 1 in each row
   * @param scale 1 / deviation of each row, {@code [B * T]} in float32 at least
   */
  record Normalized(Tensor values, Tensor scale) {}

  /**
   * A gradient and the sums of its columns.
   *
   * @param columns {@code [width]}, in float32 at least; null where they were not asked for
   */
  record Summed(Tensor values, Tensor columns) {}

  /**
   * The gradients of a sum and of the branch that was added last.
   *
   * @param branch of the sum's values where the branch has no factors
   */
  record SumGradient(Tensor sum, Summed branch) {}

  /**
   * Whether there are kernels for these sizes.
   *
   * @param vectors as long, and as wide, as any that are normalised
   * @param filter width of the rows that GELU is taken of
   */
  boolean fit(Tensor vectors, long filter);

  /** The rows normalised. */
  Normalized normalize(Tensor x);

  /**
   * The next factors of a dropout, {@link Dropout#factors}, {@code [B, 1, width]}.
   *
   * @param vectors that they are for
   */
  Tensor factors(Dropout dropout, Tensor vectors);

  /**
   * Adds the last rows of a sum to a branch in place, and normalises the result.
   *
   * @param sum {@code [B, T, width]}
   * @param branch {@code [B, n, width]}, n at most T; becomes the new sum
   * @param factors that the branch is multiplied by first, {@code [B, 1, width]}; null for none
   */
  Normalized addNormalize(Tensor sum, Tensor branch, Tensor factors);

  /**
   * The gradient of a sum, from that of its normalisation and that of the next sum.
   *
   * @param next {@code [B, n, width]}, the gradient of the next sum, of which the last n rows of
   *     each sequence are a part; null where there is none
   * @param factors of the branch that was added last, {@code [B, 1, width]}; null for none
   * @param withColumns whether to sum the columns of the branch's gradient
   */
  SumGradient normalizeBackward(
      Tensor gradient, Normalized normalized, Tensor next, Tensor factors, boolean withColumns);

  /** GELU, by the exact distribution of a normal variable. */
  Tensor gelu(Tensor x);

  /** The gradient of GELU's argument. */
  Summed geluBackward(Tensor gradient, Tensor x, boolean withColumns);

  /** The sums of columns, {@code [width]}, in float32 at least. */
  Tensor columnSums(Tensor x);
}
