package io.ringflow.testing;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Pearson's test of drawn rows against the probabilities of all that could be drawn. */
public final class ChiSquare {
  /** A right sampler of a new seed fails once in some ten thousand times. */
  public static final double ACCEPTED = 4;

  /** A wrong one must be found out without any doubt. */
  public static final double REJECTED = 20;

  private ChiSquare() {}

  /**
   * The statistic, cells expected fewer than five times as one, in standard deviations above its
   * mean; infinite if a row was drawn that has probability 0.
   *
   * @param probabilities of the possible rows
   */
  public static double deviations(int[][] drawn, int[][] possible, double[] probabilities) {
    Map<List<Integer>, Integer> counts = new HashMap<>();
    for (int[] row : drawn) {
      counts.merge(key(row), 1, Integer::sum);
    }
    double statistic = 0;
    double rareExpected = 0;
    int rareCount = 0;
    int cells = 0;
    int found = 0;
    for (int i = 0; i < possible.length; i++) {
      double expected = drawn.length * probabilities[i];
      int count = counts.getOrDefault(key(possible[i]), 0);
      if (count > 0 && expected == 0) {
        return Double.POSITIVE_INFINITY;
      }
      found += count;
      if (expected < 5) {
        rareExpected += expected;
        rareCount += count;
      } else {
        statistic += (count - expected) * (count - expected) / expected;
        cells++;
      }
    }
    if (found != drawn.length) {
      throw new IllegalArgumentException(
          (drawn.length - found) + " rows were drawn that are not among the possible ones");
    }
    if (rareExpected > 0) {
      statistic += (rareCount - rareExpected) * (rareCount - rareExpected) / rareExpected;
      cells++;
    }
    if (cells < 3) {
      throw new IllegalArgumentException("only " + cells + " cells: draw more rows");
    }
    return (statistic - (cells - 1)) / Math.sqrt(2.0 * (cells - 1));
  }

  private static List<Integer> key(int[] row) {
    return Arrays.stream(row).boxed().toList();
  }
}
