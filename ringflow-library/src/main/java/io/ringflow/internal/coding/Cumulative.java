package io.ringflow.internal.coding;

/**
 * The cumulative frequencies of one position's symbols, out of {@link #TOTAL}, for the coder.
 *
 * <p>With c<sub>k</sub> the probability of all symbols before k, symbol k begins at
 *
 * <pre>
 *   floor(place(k) + u)       place(k) = k + (TOTAL - K) c_k       0 &lt; u &lt; 1
 * </pre>
 *
 * so that each has a frequency of at least 1, and any can be coded. A frequency depends on the last
 * bit of a probability only where {@code place(k) + u} is next to an integer, which {@link Guard}
 * avoids.
 *
 * <p>Probabilities are added as integers, in units of 2<sup>-60</sup>: exactly, in plain Java, the
 * same in any order on any machine. Rounding K of them to units moves a place by at most
 * 2<sup>-22</sup>. An instance is filled anew for each position, by one thread at a time.
 */
final class Cumulative {
  static final int TOTAL_BITS = 20;

  /** The sum of all frequencies. */
  static final int TOTAL = 1 << TOTAL_BITS;

  /** The maximum number of symbols; {@link Guard} says why. */
  static final int MAX_SYMBOLS = 1 << 18;

  private static final double UNITS = 0x1p60;

  private final long[] sums;
  private double scale;
  private int symbols;

  /**
   * Allocates memory for one position.
   *
   * @param maxSymbols of any position; at most {@link #MAX_SYMBOLS}
   */
  Cumulative(int maxSymbols) {
    if (maxSymbols > MAX_SYMBOLS) {
      throw new IllegalArgumentException(
          "symbols of a position must be at most " + MAX_SYMBOLS + ", but are " + maxSymbols);
    }
    sums = new long[maxSymbols + 1];
  }

  /**
   * Sums up the probabilities of a position.
   *
   * @param logProbs natural logarithms
   * @param from the index of the first one
   * @param symbols how many there are, K; what follows them is ignored
   * @throws ArithmeticException if the probabilities do not sum to about 1
   */
  void fill(double[] logProbs, int from, int symbols) {
    long sum = 0;
    for (int k = 0; k < symbols; k++) {
      sum += (long) (Math.exp(logProbs[from + k]) * UNITS);
      sums[k + 1] = sum;
    }
    double total = sum / UNITS;
    if (!(total > 0.5 && total < 2)) { // NaN counts as 0 units
      throw new ArithmeticException(
          "the model's probabilities at a position sum to " + total + ", not to 1");
    }
    this.symbols = symbols;
    this.scale = (TOTAL - symbols) / (double) sum;
  }

  /**
   * The cumulative frequency at which symbol k begins, before rounding.
   *
   * @param k 0 to K, where K is the end of the last symbol
   */
  double place(int k) {
    return k + sums[k] * scale;
  }

  /** The symbol that covers a slot, if places are moved by u before they are rounded. */
  int find(int slot, double u) {
    int low = 0;
    int high = symbols;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (boundary(place(middle), u) <= slot) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** A place moved by u and rounded down. */
  static int boundary(double place, double u) {
    return (int) (place + u);
  }
}
