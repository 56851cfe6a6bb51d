package io.ringflow.paper.experiment;

import io.ringflow.train.Batch;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Pairs of numbers with D digits and their sums, the last carry dropped. */
final class AdditionPairs {
  private static final int BASE = 10;

  private AdditionPairs() {}

  /**
   * Samples pairs.
   *
   * @return rows: the D digits of each sum; condition: the digits of one number, then of the other;
   *     most significant first
   */
  static Batch sample(int d, int count, RandomGenerator random) {
    int[][] sums = new int[count][];
    int[][] numbers = new int[count][];
    for (int i = 0; i < count; i++) {
      numbers[i] = random.ints(2L * d, 0, BASE).toArray();
      sums[i] = sum(numbers[i]);
    }
    return new Batch(sums, numbers);
  }

  /**
   * The same pairs for a network that reads each number from its least significant digit to its
   * most significant, and so has those it needs first read last.
   *
   * @return the same sums; condition: each number turned around
   */
  static Batch leastSignificantFirst(Batch pairs) {
    int[][] numbers = pairs.condition().clone();
    Arrays.setAll(numbers, i -> turnedAround(pairs.condition()[i]));
    return new Batch(pairs.rows(), numbers);
  }

  private static int[] turnedAround(int[] numbers) {
    int d = numbers.length / 2;
    int[] turned = new int[2 * d];
    for (int place = 0; place < d; place++) {
      turned[place] = numbers[d - 1 - place];
      turned[d + place] = numbers[2 * d - 1 - place];
    }
    return turned;
  }

  /** The digits of the sum of two numbers of equal length, which stand one after the other. */
  static int[] sum(int[] numbers) {
    int d = numbers.length / 2;
    int[] sum = new int[d];
    int carry = 0;
    for (int place = d - 1; place >= 0; place--) {
      int total = numbers[place] + numbers[d + place] + carry;
      sum[place] = total % BASE;
      carry = total / BASE;
    }
    return sum;
  }

  /** Such as {@code 18 + 94 = 12, answered 02}. */
  static String describe(int[] numbers, int[] sum, int[] answer) {
    int d = sum.length;
    String verdict = Arrays.equals(sum, answer) ? "right" : "answered " + digits(answer, 0, d);
    return digits(numbers, 0, d)
        + " + "
        + digits(numbers, d, 2 * d)
        + " = "
        + digits(sum, 0, d)
        + "  "
        + verdict;
  }

  private static String digits(int[] values, int from, int to) {
    return Arrays.stream(values, from, to)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining());
  }
}
