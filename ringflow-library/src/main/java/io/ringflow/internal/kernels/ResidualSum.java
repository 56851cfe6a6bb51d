package io.ringflow.internal.kernels;

import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * One sum of a residual network: what all branches until now add up to, and its normalisation.
 *
 * <p>libtorch knows the way from each normalisation to the next branch and no other. The gradient
 * that a sum has from the next one, of which it is a part, is handed on here: the backward pass
 * comes to the next sum first, because its branch was computed from this one.
 */
public final class ResidualSum {
  final Tensor sum;
  final Tensor normalized;
  ResidualSum next; // null for the last
  Tensor gradient; // null until the backward pass has come here, and once it has gone on

  ResidualSum(Tensor sum, Tensor normalized) {
    this.sum = sum;
    this.normalized = normalized;
  }

  /** Rows of mean 0 and variance 1; with a gradient. */
  public Tensor normalized() {
    return normalized;
  }

  /** All tensors that the next sum is computed from. */
  public List<Tensor> tensors() {
    return List.of(sum, normalized);
  }
}
