package io.ringflow.spi;

import org.bytedeco.pytorch.Tensor;

/**
 * How a training estimates gradients through the choice of moves.
 *
 * <p>A layer's network chooses how symbols are moved. The choice is a step function of the logits,
 * so its own gradient is zero almost everywhere; an estimator puts something smoother in its place.
 * Layers hand every move to the estimator of the {@link EvaluationContext}, and know nothing of how
 * it works.
 */
@FunctionalInterface
public interface GradientEstimator {
  /** Moves symbols, and estimates nothing. */
  GradientEstimator NONE =
      (map, data, positions, logits, context) ->
          Symbols.of(map.inverse(data.ids(), logits, context).ids());

  /**
   * Moves symbols from the data side of a layer to its base side.
   *
   * @param map that moves them
   * @param data the symbols, {@code [B, n]}
   * @param positions of these symbols in the layer's space, int64 {@code [n]}
   * @param logits of the network, {@code [B, n, width]}
   * @return the moved symbols, with a straight-through one-hot where the estimator has one
   */
  Symbols inverse(
      BoundMap map, Symbols data, Tensor positions, Tensor logits, EvaluationContext context);
}
