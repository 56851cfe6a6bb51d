package io.ringflow.bench;

import java.util.Arrays;
import java.util.Comparator;

/**
 * How well a ranking finds odd rows: the area under the receiver's curve, which is the probability
 * that an odd row is ranked above one that is not, a tie counting half.
 */
final class RankingArea {
  private RankingArea() {}

  /**
   * The area, counted exactly.
   *
   * @param oddness of each row; infinite ones are no different from others
   * @param odd which rows are odd; there must be some that are and some that are not
   */
  static double of(double[] oddness, boolean[] odd) {
    if (oddness.length != odd.length) {
      throw new IllegalArgumentException(
          "oddness must be of " + odd.length + " rows, but is of " + oddness.length);
    }
    if (Arrays.stream(oddness).anyMatch(Double::isNaN)) {
      throw new IllegalArgumentException("oddness must be numbers, but one is NaN");
    }
    Integer[] ascending = new Integer[odd.length];
    Arrays.setAll(ascending, i -> i);
    Arrays.sort(ascending, Comparator.comparingDouble(i -> oddness[i]));
    long halves = 0;
    long oddBefore = 0;
    long othersBefore = 0;
    for (int from = 0; from < ascending.length; ) {
      long oddHere = 0;
      int to = from;
      for (; to < ascending.length && oddness[ascending[to]] == oddness[ascending[from]]; to++) {
        oddHere += odd[ascending[to]] ? 1 : 0;
      }
      long othersHere = to - from - oddHere;
      halves += oddHere * (2 * othersBefore + othersHere);
      oddBefore += oddHere;
      othersBefore += othersHere;
      from = to;
    }
    if (oddBefore == 0 || othersBefore == 0) {
      throw new IllegalArgumentException(
          "there must be odd rows and others, but there are " + oddBefore + " and " + othersBefore);
    }
    return halves / (2.0 * oddBefore * othersBefore);
  }
}
