package io.ringflow.paper.oracle;

/**
 * A weighted sum of the digits of a cell's number, by two look-ups: one for its leading digits and
 * one for its last.
 */
final class DigitSum {
  private final int split;
  private final int[] leading;
  private final int[] last;

  /**
   * Sums of digits.
   *
   * @param base of the digits
   * @param weights of each digit, the most significant first
   */
  DigitSum(int base, int[] weights) {
    int tail = weights.length / 2;
    this.last = sums(base, weights, weights.length - tail, weights.length);
    this.leading = sums(base, weights, 0, weights.length - tail);
    this.split = last.length;
  }

  /** The sums of all numbers that consist of the digits {@code from … to - 1}. */
  private static int[] sums(int base, int[] weights, int from, int to) {
    int[] sums = {0};
    for (int digit = from; digit < to; digit++) {
      int[] longer = new int[sums.length * base];
      for (int i = 0; i < longer.length; i++) {
        longer[i] = sums[i / base] + i % base * weights[digit];
      }
      sums = longer;
    }
    return sums;
  }

  int of(int number) {
    return leading[number / split] + last[number % split];
  }
}
