package io.ringflow.table;

/** What a score makes of values that training never saw. */
public enum NewValues {
  /**
   * Some probability is reserved for them, as much as training's own rare values suggest (Good and
   * Turing): scores are finite, and the probabilities of all rows, new values included, sum to one.
   */
  RESERVED,

  /** They have probability zero: a score is minus infinity. */
  IMPOSSIBLE
}
