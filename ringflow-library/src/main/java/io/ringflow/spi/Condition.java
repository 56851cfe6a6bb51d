package io.ringflow.spi;

import org.bytedeco.pytorch.Tensor;

/**
 * What a conditional model is given with each row: the two addends, a class label, or nothing.
 *
 * @param ids int64 {@code [B, C]}, a row of the given space for each row of data; null for {@link
 *     #NONE}
 */
public record Condition(Tensor ids) {
  /** Nothing is given. */
  public static final Condition NONE = new Condition(null);
}
