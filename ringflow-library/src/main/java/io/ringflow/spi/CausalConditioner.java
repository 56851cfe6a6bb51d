package io.ringflow.spi;

import io.ringflow.internal.engine.Weights;

/**
 * A conditioner whose output at a position ignores the inputs of its own group and of later ones,
 * and that can also run step by step. Where groups are of one position, output t ignores the inputs
 * at t and later.
 *
 * <p>Both ways give the same logits up to rounding. Where a symbol must come back, both run in 64
 * bits.
 */
public interface CausalConditioner extends Conditioner {
  /**
   * Begins before the first group of a batch of rows.
   *
   * @return a decoder that lives in the caller's scope
   */
  IncrementalDecoder decoder(long rows, EvaluationContext context);

  /**
   * Sets in closed form what can be, so that learning begins there; nothing unless it knows how.
   * Must run inside a scope.
   *
   * @param rows of the data, positions in the order of the groups; at least one
   * @param weights to write to
   */
  default void start(int[][] rows, Weights weights) {}
}
