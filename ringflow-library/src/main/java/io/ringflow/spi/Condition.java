package io.ringflow.spi;

import org.bytedeco.pytorch.Tensor;

/**
 * What each row of a conditional model is conditioned on: two addends, a class label, or nothing.
 *
 * @param ids int64 {@code [B, C]}, a row of the condition's space for each row of data; null for
 *     {@link #NONE}
 */
public record Condition(Tensor ids) {
  /** Of an unconditional model. */
  public static final Condition NONE = new Condition(null);
}
