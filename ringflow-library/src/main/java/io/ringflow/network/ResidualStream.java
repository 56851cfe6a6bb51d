package io.ringflow.network;

import io.ringflow.internal.kernels.FusedOperators;
import io.ringflow.internal.kernels.InferenceOperators;
import io.ringflow.spi.EvaluationContext;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The sum that the blocks of a network add their branches to, {@code [B, T, width]}. There are ways
 * to compute it on a GPU, with gradients and without, and one for all else.
 */
interface ResidualStream {
  /**
   * A stream that starts with the given vectors.
   *
   * @param filter units of the widest activation
   */
  static ResidualStream of(Tensor vectors, long filter, EvaluationContext context) {
    Optional<ResidualStream> trained =
        FusedOperators.of(vectors, filter, context)
            .map(operators -> new FusedStream(operators, operators.start(vectors), context));
    return trained
        .or(
            () ->
                InferenceOperators.of(vectors, context)
                    .map(
                        operators ->
                            new InferenceStream(operators, operators.start(vectors), context)))
        .orElseGet(() -> new PlainStream(vectors, context));
  }

  /** The sum with mean 0 and variance 1 along the last dimension. */
  Tensor normalized();

  /** What the networks are evaluated in. */
  EvaluationContext context();

  /** A linear map of the normalised sum. */
  default Tensor mapped(Linear map) {
    return map.apply(normalized(), context());
  }

  /** The GELU of a linear map of the normalised sum. */
  default Tensor activated(Linear map) {
    return torch.gelu(mapped(map));
  }

  /**
   * The sum and a linear map of x, {@code [B, n, width]}. Where x has fewer positions than the sum,
   * they are its last ones, and the others are dropped.
   */
  ResidualStream plus(Linear map, Tensor x);

  /**
   * Attention of one position to itself and all before it, whose keys and values are cached.
   *
   * @param mapped queries, keys and values of the position, {@code [B, 1, 3 * width]}; the latter
   *     are put into the cache
   * @param position how many come before
   * @return {@code [B, 1, width]}; nothing, and the cache as it was, where this stream has no
   *     better way than any other
   */
  default Optional<Tensor> attendLast(Tensor mapped, AttentionBlock.Cache cache, long position) {
    return Optional.empty();
  }

  /** What must outlive a scope for the stream to go on. */
  List<Tensor> tensors();
}
