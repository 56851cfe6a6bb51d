package io.ringflow.network;

import org.bytedeco.pytorch.Tensor;

/**
 * Which positions of a sequence each position may attend to.
 *
 * @param causal itself and those before it, a pattern that kernels know
 * @param allowed true where the row's position may attend to the column's, {@code [T, T]}; null
 *     where a pattern is enough
 */
record AttentionMask(boolean causal, Tensor allowed) {
  /** All attend to all. */
  static final AttentionMask ALL = new AttentionMask(false, null);

  /** Each attends to itself and those before it. */
  static final AttentionMask CAUSAL = new AttentionMask(true, null);

  /** The mask {@code [T, T]} of a tensor, which is borrowed. */
  static AttentionMask of(Tensor allowed) {
    return new AttentionMask(false, allowed);
  }
}
