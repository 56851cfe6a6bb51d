package io.ringflow.core;

import java.util.EnumSet;
import java.util.Set;

/**
 * What the gradient is taken of. Where it is of data, the loss that is reported is the exact
 * negative log-likelihood in any case: a layer's choice of a move is a step function of its logits,
 * so something smoother must stand in for its gradient.
 */
public enum Objective {
  /** The straight-through estimate of section 3.3 of the paper. */
  STRAIGHT_THROUGH,
  /**
   * Each layer's logits are read as probabilities of moves, and their mixture is made likely under
   * the base as it stands: {@code log sum_m pi(m) q(y - m)} for a symbol y. No gradient runs
   * through symbols: every layer learns from its own moves alone, as a classifier does. As long as
   * the base puts most of its mass on symbol 0, a layer learns to predict the symbol.
   *
   * <p>Needs a factorised base without a network, and no layers that only rearrange positions.
   */
  MIXTURE,
  /**
   * Layer-wise cross-entropy: each layer's network learns to predict the symbols that the layer
   * moves, and no gradient runs through symbols. A sorting layer then moves the likeliest symbol to
   * 0, the next to 1, and so on; a shifting layer moves the likeliest to 0. The base learns the
   * symbols that the layers make of the data, by its own likelihood or in closed form.
   *
   * <p>Works with any base, and with maps whose logits stand for symbols.
   */
  LAYERWISE_CROSS_ENTROPY,
  /**
   * Of inference, not of data: symbols of the base run forward through inverse layers, and
   * straight-through gradients of the target's weight run back. The base learns by the score
   * function.
   */
  PATHWISE;

  /** Those that make data likely. */
  public static Set<Objective> ofLikelihood() {
    return EnumSet.range(STRAIGHT_THROUGH, LAYERWISE_CROSS_ENTROPY);
  }
}
