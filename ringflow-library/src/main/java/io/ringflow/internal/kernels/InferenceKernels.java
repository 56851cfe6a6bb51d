package io.ringflow.internal.kernels;

import org.bytedeco.pytorch.Tensor;

/**
 * What a residual network computes between its matrix products where no gradients are wanted. All
 * tensors are contiguous; results live in the caller's scope.
 */
interface InferenceKernels {
  /** Whether there are kernels for these vectors. */
  boolean fit(Tensor vectors);

  /** The rows of x with mean 0 and variance 1. */
  Tensor normalize(Tensor x);

  /**
   * Adds the last rows of a sum to a branch in place, and normalises the result.
   *
   * @param sum {@code [B, T, width]}
   * @param branch {@code [B, n, width]}, n at most T; becomes the new sum
   * @return the new sum normalised
   */
  Tensor addNormalize(Tensor sum, Tensor branch);

  /** Whether there is a kernel for attention over caches like this one. */
  boolean fitAttention(Tensor cache);

  /**
   * Attention of one position to itself and all before it.
   *
   * @param mapped its queries, keys and values, {@code [B, 1, 3 * width]}
   * @param keys of the positions before, {@code [B, heads, T, width / heads]}; takes the new one
   * @param values of the same shape; takes the new one
   * @param position how many positions come before
   * @return {@code [B, 1, width]}
   */
  Tensor attendLast(Tensor mapped, Tensor keys, Tensor values, long position);
}
