package io.ringflow.network;

import org.bytedeco.pytorch.Tensor;

/**
 * Which positions of a sequence an attention block lets each one see.
 *
 * @param leftToRight itself and those before it; kernels know this pattern
 * @param mask true where the second may be seen by the first, {@code [T, T]}; null where a pattern
 *     says it
 */
record AttentionMask(boolean leftToRight, Tensor mask) {
  /** All see all. */
  static final AttentionMask ALL = new AttentionMask(false, null);

  /** Each sees itself and those before it. */
  static final AttentionMask CAUSAL = new AttentionMask(true, null);

  /** As a mask says; borrowed. */
  static AttentionMask of(Tensor mask) {
    return new AttentionMask(false, mask);
  }
}
