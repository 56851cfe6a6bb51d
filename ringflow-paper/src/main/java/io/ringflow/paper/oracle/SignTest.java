package io.ringflow.paper.oracle;

import java.util.Arrays;

/**
 * Whether differences are as often negative as positive: a sign test.
 *
 * @param below how many are negative
 * @param above how many are positive
 * @param ties how many are zero; they count for neither side
 */
public record SignTest(int below, int above, int ties) {
  /** Counts the signs of differences. */
  public static SignTest of(double[] differences) {
    int below = (int) Arrays.stream(differences).filter(difference -> difference < 0).count();
    int above = (int) Arrays.stream(differences).filter(difference -> difference > 0).count();
    return new SignTest(below, above, differences.length - below - above);
  }

  /**
   * Returns the probability of a count at least as uneven where both signs are equally likely; 1
   * where there is no sign at all.
   */
  public double twoSidedP() {
    int n = below + above;
    double tail = 0;
    double binomial = Math.pow(0.5, n); // of i of n, from i = 0
    for (int i = 0; i <= Math.min(below, above); i++) {
      tail += binomial;
      binomial *= (double) (n - i) / (i + 1);
    }
    return Math.min(1, 2 * tail);
  }
}
