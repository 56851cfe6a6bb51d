package io.ringflow.core;

import io.ringflow.model.Architecture;
import io.ringflow.train.Requirements;

/**
 * What the gradient is taken of. The loss that is reported is the exact one in any case: a layer's
 * choice of a move is a step function of its logits, so that something smoother must stand in for
 * its gradient.
 */
public enum Objective {
  /** The estimate of section 3.3 of the paper. */
  STRAIGHT_THROUGH,
  /**
   * Each layer's logits are read as probabilities of moves, and their mixture is made likely under
   * the base as it stands: {@code log sum_m pi(m) q(y - m)} for a symbol y. No gradient runs
   * through symbols, so that every layer learns from its own moves alone, as a classifier does. As
   * long as the base insists on symbol 0, it learns to predict the symbol; see {@link
   * io.ringflow.model.FlowModel#startBase}.
   *
   * <p>Needs a factorised base without a network, and neither {@link io.ringflow.layer.Reorder} nor
   * {@link io.ringflow.layer.Pack} layers.
   */
  MIXTURE,
  /**
   * Each layer is a classifier: its network learns, by cross entropy, to predict the symbols that
   * it moves, and no gradient runs through symbols. {@link io.ringflow.layer.Permute} then moves
   * the likeliest symbol to 0, the next to 1, and so on; {@link io.ringflow.layer.Shift} moves the
   * likeliest to 0. The base learns what the layers make of the data, by its own likelihood or in
   * closed form ({@link io.ringflow.model.FlowModel#refitBase}).
   *
   * <p>Any base will do. Other maps have more to learn than a classifier knows.
   */
  LAYERWISE_CROSS_ENTROPY;

  /** The one to train a model by where nothing speaks for another: the paper's, if it can. */
  public static Objective suiting(Architecture architecture) {
    return Requirements.straightThroughReachesAll(architecture)
        ? STRAIGHT_THROUGH
        : LAYERWISE_CROSS_ENTROPY;
  }
}
