package io.ringflow.internal.fit;

/**
 * Says of symbols how likely they make what must hold of later ones, roughly: proposals are tilted
 * by it, and weights undo the tilt. So whatever it says, estimates stay unbiased; the better it is,
 * the less they vary. Safe for use by several threads.
 */
@FunctionalInterface
public interface Lookahead {
  /** Knows nothing: proposals see only what must hold of the symbol itself. */
  Lookahead NONE = (turn, row) -> null;

  /**
   * The factors of one turn's symbols, all above 0 and finite.
   *
   * @param row symbols by turn, chosen in earlier groups
   * @return a factor for each symbol, borrowed; null where all are alike
   */
  double[] factors(int turn, int[] row);
}
