package io.ringflow.core;

import java.util.Arrays;

/**
 * How large the groups of an order should be, so that a number of passes costs as little likelihood
 * as possible.
 *
 * <p>A symbol costs much while little is known and little once half is known, so that a few go
 * first and many last. Given the loss of a symbol when the first n of the order are known, every
 * group pays that of the moment it begins; dynamic programming finds the best of all ways to cut
 * (Hoogeboom et al. 2022, section 3.3).
 */
final class GroupSizes {
  private GroupSizes() {}

  /**
   * The best sizes.
   *
   * @param lossWhenKnown of a symbol that comes later, once the first {@code n} of the order are
   *     known, for n from 0 to D - 1; finite
   * @param passes how many groups, at most D
   * @return as many sizes, each at least 1, which sum to D
   */
  static int[] best(double[] lossWhenKnown, int passes) {
    int positions = lossWhenKnown.length;
    if (passes < 1 || passes > positions) {
      throw new IllegalArgumentException(
          "passes must be between 1 and " + positions + ", but is " + passes);
    }
    for (int known = 0; known < positions; known++) {
      if (!Double.isFinite(lossWhenKnown[known])) {
        throw new IllegalArgumentException(
            "lossWhenKnown must be finite, but with "
                + known
                + " known it is "
                + lossWhenKnown[known]);
      }
    }
    // cost[n]: of the symbols from n on, in as many groups as the round allows.
    double[] cost = new double[positions + 1];
    Arrays.fill(cost, Double.POSITIVE_INFINITY);
    cost[positions] = 0;
    int[][] next = new int[passes][positions];
    for (int left = 1; left <= passes; left++) {
      double[] before = cost;
      cost = new double[positions + 1];
      Arrays.fill(cost, Double.POSITIVE_INFINITY);
      for (int from = 0; from < positions; from++) {
        for (int to = from + 1; to <= positions; to++) {
          double total = (to - from) * lossWhenKnown[from] + before[to];
          if (total < cost[from]) {
            cost[from] = total;
            next[left - 1][from] = to;
          }
        }
      }
    }
    int[] sizes = new int[passes];
    int from = 0;
    for (int group = 0; group < passes; group++) {
      int to = next[passes - 1 - group][from];
      sizes[group] = to - from;
      from = to;
    }
    return sizes;
  }
}
