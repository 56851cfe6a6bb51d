package io.ringflow.spi;

/**
 * A conditioner whose output at a position ignores the inputs of its own group and of later groups,
 * and that can also run group by group. Where groups are single positions, output t ignores the
 * inputs at t and later.
 *
 * <p>Both ways give the same logits up to rounding. Where a symbol must come back, both run in
 * float64.
 */
public interface CausalConditioner extends Conditioner {
  /**
   * Begins before the first group of a batch of rows.
   *
   * @return a decoder that lives in the caller's scope
   */
  IncrementalDecoder decoder(long rows, EvaluationContext context);

  /**
   * As {@link #decoder}, but its logits may leave out symbols that no position of a group has: they
   * are {@code [B, n, k]}, where k is at least the largest cardinality of the group. They agree up
   * to rounding with those of {@link #decoder}, which this is unless overridden.
   */
  default IncrementalDecoder narrowDecoder(long rows, EvaluationContext context) {
    return decoder(rows, context);
  }

  /**
   * How often a decoder calls the whole network for so many groups: once for each, unless a small
   * part of it is enough for some.
   */
  default int calls(int groups) {
    return groups;
  }
}
