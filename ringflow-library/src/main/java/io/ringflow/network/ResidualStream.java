package io.ringflow.network;

import io.ringflow.internal.kernels.FusedOperators;
import io.ringflow.spi.EvaluationContext;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * The sum that the blocks of a network add their branches to, {@code [B, T, width]}. It has one way
 * to compute for training on a GPU and one for all else.
 */
interface ResidualStream {
  /**
   * A stream that starts with the given vectors.
   *
   * @param filter units of the widest activation
   */
  static ResidualStream of(Tensor vectors, long filter, EvaluationContext context) {
    return FusedOperators.of(vectors, filter, context)
        .<ResidualStream>map(
            operators -> new FusedStream(operators, operators.start(vectors), context))
        .orElseGet(() -> new PlainStream(vectors, context));
  }

  /** The sum with mean 0 and variance 1 along the last dimension. */
  Tensor normalized();

  /** A linear map of the normalised sum. */
  Tensor mapped(Linear map);

  /** The GELU of a linear map of the normalised sum. */
  Tensor activated(Linear map);

  /**
   * The sum and a linear map of x, {@code [B, n, width]}. Where x has fewer positions than the sum,
   * they are its last ones, and the others are dropped.
   */
  ResidualStream plus(Linear map, Tensor x);

  /** What must outlive a scope for the stream to go on. */
  List<Tensor> tensors();
}
