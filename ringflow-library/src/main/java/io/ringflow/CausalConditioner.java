package io.ringflow;

/**
 * A conditioner whose output at position t ignores the inputs at t and later, and that can also run
 * step by step.
 *
 * <p>Both ways give the same logits up to rounding. Where a symbol must come back, both run in 64
 * bits.
 */
public interface CausalConditioner extends Conditioner {
  /**
   * Begins at position 0 of a batch of rows.
   *
   * @return a decoder that lives in the caller's scope
   */
  Decoder decoder(long rows, Pass pass);
}
