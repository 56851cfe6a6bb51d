package io.ringflow.paper.oracle;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Shannon's N-gram entropy of rows of symbols: how many bits a symbol has for one who sees the N -
 * 1 before it and knows how often every N-gram occurs in these rows.
 *
 * <p>For N = 1 it is the entropy of the symbols' frequencies. It never grows with N, and never ends
 * above the logarithm of the number of symbols. Frequencies are those of the rows themselves, so
 * that few rows give too small a value, and the more so the less predictable they are: of 256,000
 * random letters a 4-gram's is 3.3 bits and not 4.75. Compare rows of the same number and length,
 * and look at random ones beside them.
 *
 * <p>C. E. Shannon, Prediction and entropy of printed English, 1951, where it is called F_N.
 */
public final class NgramEntropy {
  private NgramEntropy() {}

  /**
   * The entropy of the last symbol of an N-gram given the others, in bits.
   *
   * @param rows N-grams lie within a row; at least one row has N symbols
   * @param n at least 1
   * @param cardinality symbols are below this; its N-th power must fit in 63 bits
   */
  public static double bits(int[][] rows, int n, int cardinality) {
    if (n < 1 || n * Math.log(cardinality) >= 63 * Math.log(2)) {
      throw new IllegalArgumentException(
          "n must be at least 1 and " + cardinality + "^n below 2^63, but n is " + n);
    }
    long[] ngrams = Arrays.stream(rows).flatMapToLong(row -> ngrams(row, n, cardinality)).toArray();
    if (ngrams.length == 0) {
      throw new IllegalArgumentException("no row has " + n + " symbols");
    }
    Arrays.sort(ngrams); // those of the same beginning are together, too
    long[] contexts = Arrays.stream(ngrams).map(ngram -> ngram / cardinality).toArray();
    return (sumOfLogs(contexts) - sumOfLogs(ngrams)) / ngrams.length;
  }

  /** Each N-gram of a row as one number. */
  private static LongStream ngrams(int[] row, int n, int cardinality) {
    return LongStream.range(0, Math.max(0, row.length - n + 1))
        .map(
            from -> {
              long ngram = 0;
              for (int i = 0; i < n; i++) {
                ngram = ngram * cardinality + row[(int) from + i];
              }
              return ngram;
            });
  }

  /** The sum of {@code count log2 count} over different values. */
  private static double sumOfLogs(long[] sorted) {
    double sum = 0;
    for (int from = 0, to; from < sorted.length; from = to) {
      for (to = from + 1; to < sorted.length && sorted[to] == sorted[from]; ) {
        to++;
      }
      sum += (to - from) * Math.log(to - from);
    }
    return sum / Math.log(2);
  }
}
