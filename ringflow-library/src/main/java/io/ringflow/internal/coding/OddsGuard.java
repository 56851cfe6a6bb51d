package io.ringflow.internal.coding;

import io.ringflow.internal.mixing.DecisionCoding;

/**
 * A network's log-odds as integers that both ends agree on, though their numbers differ in the last
 * bits.
 *
 * <p>Log-odds are moved by an offset before they are rounded. The encoder chooses it such that none
 * lies within {@link #WIDTH} of where rounding turns, and writes down its choice.
 */
final class OddsGuard {
  /** Logarithm of the number of offsets. */
  static final int OFFSET_BITS = 5;

  /** How many offsets there are. */
  static final int OFFSETS = 1 << OFFSET_BITS;

  /** The largest integer. */
  static final int MAX = 8 * DecisionCoding.UNIT - 1;

  /** In units of 1/256; errors are below a hundredth of it. */
  private static final double WIDTH = 1e-9 * DecisionCoding.UNIT;

  private OddsGuard() {}

  /** Log-odds, in units of 1/256, as an integer. */
  static int rounded(double odds, int offset) {
    return Math.max(-MAX, Math.min(MAX, (int) Math.floor(odds + moved(offset))));
  }

  /** Whether the rounding of log-odds does not depend on their last digits. */
  static boolean isSafe(double odds, int offset) {
    double moved = odds + moved(offset);
    double beyond = moved - Math.floor(moved);
    return Math.abs(odds) > MAX + 2 || (beyond >= WIDTH && beyond <= 1 - WIDTH);
  }

  private static double moved(int offset) {
    return (offset + 0.5) / OFFSETS;
  }
}
