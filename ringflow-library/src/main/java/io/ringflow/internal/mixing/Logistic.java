package io.ringflow.internal.mixing;

/**
 * Probabilities of 16 bits and their log-odds, ln(p / (1 - p)) in units of 1/256, from tables.
 *
 * <p>The tables come from {@link StrictMath}, which is the same on every machine, and are rounded
 * to integers.
 */
final class Logistic {
  /** A certain event's probability; the largest in use is one less. */
  static final int ONE = 1 << 16;

  /** The largest log-odds: a probability of 1 - 1/162,000, rounded to 16 bits. */
  static final int MAX = 12 * 256 - 1;

  private static final int COARSE = 4;
  private static final char[] PROBABILITIES = new char[2 * MAX + 1];
  private static final short[] LOG_ODDS = new short[ONE >> COARSE];

  /** Beyond these, the table of log-odds would be too coarse. */
  private static final int MAX_INPUT = 8 * 256 - 1;

  static {
    for (int x = -MAX; x <= MAX; x++) {
      long p = StrictMath.round(ONE / (1 + StrictMath.exp(-x / 256.0)));
      PROBABILITIES[x + MAX] = (char) Math.max(1, Math.min(ONE - 1, p));
    }
    for (int i = 0; i < LOG_ODDS.length; i++) {
      double p = (i + 0.5) / LOG_ODDS.length;
      long x = StrictMath.round(256 * StrictMath.log(p / (1 - p)));
      LOG_ODDS[i] = (short) Math.max(-MAX_INPUT, Math.min(MAX_INPUT, x));
    }
  }

  private Logistic() {}

  /** The probability, 1 to 65535, of log-odds within ±{@link #MAX}. */
  static int probability(int logOdds) {
    return PROBABILITIES[logOdds + MAX];
  }

  /** The log-odds of a probability below {@link #ONE}. */
  static int logOdds(int probability) {
    return LOG_ODDS[probability >> COARSE];
  }

  /** The nearest log-odds within ±{@link #MAX}. */
  static int clamp(int logOdds) {
    return Math.max(-MAX, Math.min(MAX, logOdds));
  }
}
