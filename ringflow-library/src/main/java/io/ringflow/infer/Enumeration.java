package io.ringflow.infer;

import io.ringflow.core.Space;
import io.ringflow.internal.checks.Interruption;
import java.util.Arrays;

/**
 * The exact answer by weighing every row of a small space, a block of rows at a time.
 *
 * <p>Sums are kept relative to the largest weight so far, block by block, so that neither the
 * weights' scale nor the number of rows costs digits.
 */
final class Enumeration {
  /** 16 million rows: seconds for a graph of factors. */
  static final int MAX_LOG2_ROWS = 24;

  private static final int BLOCK = 4096;

  private final Space space;
  private final double[][] sums; // [position][symbol], of weights divided by exp(max)
  private double max = Double.NEGATIVE_INFINITY;
  private double sum;

  private Enumeration(Space space) {
    this.space = space;
    this.sums = zeros(space);
  }

  static ExactAnswer of(Space space, Target target) {
    double log2 = 0;
    for (int cardinality : space.cardinalities()) {
      log2 += Elimination.log2(cardinality);
    }
    if (log2 > MAX_LOG2_ROWS + 1e-9) {
      throw new IllegalArgumentException(
          "too large to enumerate: a space of "
              + Elimination.power(log2)
              + " rows, but at most 2^"
              + MAX_LOG2_ROWS
              + " are weighed");
    }
    Target checked = new CheckedTarget(target);
    Enumeration enumeration = new Enumeration(space);
    long cells = space.cells();
    int[] row = new int[space.size()];
    for (long first = 0; first < cells; first += BLOCK) {
      Interruption.check();
      int[][] rows = new int[(int) Math.min(BLOCK, cells - first)][];
      for (int i = 0; i < rows.length; i++) {
        rows[i] = row.clone();
        advance(space, row);
      }
      enumeration.add(rows, checked.logWeights(rows));
    }
    return enumeration.answer();
  }

  private static void advance(Space space, int[] row) {
    for (int d = row.length - 1; d >= 0 && ++row[d] == space.cardinality(d); d--) {
      row[d] = 0;
    }
  }

  private static double[][] zeros(Space space) {
    return space.cardinalities().stream().map(double[]::new).toArray(double[][]::new);
  }

  private void add(int[][] rows, double[] logWeights) {
    double blockMax = Arrays.stream(logWeights).max().orElseThrow();
    if (blockMax > max) {
      rescale(Math.exp(max - blockMax));
      max = blockMax;
    }
    double blockSum = 0;
    double[][] blockSums = zeros(space);
    for (int i = 0; i < rows.length; i++) {
      if (logWeights[i] == Double.NEGATIVE_INFINITY) {
        continue;
      }
      double weight = Math.exp(logWeights[i] - max);
      blockSum += weight;
      for (int d = 0; d < blockSums.length; d++) {
        blockSums[d][rows[i][d]] += weight;
      }
    }
    sum += blockSum;
    for (int d = 0; d < sums.length; d++) {
      for (int symbol = 0; symbol < sums[d].length; symbol++) {
        sums[d][symbol] += blockSums[d][symbol];
      }
    }
  }

  private void rescale(double by) {
    sum *= by;
    for (double[] atPosition : sums) {
      Arrays.setAll(atPosition, symbol -> atPosition[symbol] * by);
    }
  }

  private ExactAnswer answer() {
    double logZ = sum == 0 ? Double.NEGATIVE_INFINITY : max + Math.log(sum);
    for (double[] atPosition : sums) {
      Arrays.setAll(atPosition, symbol -> atPosition[symbol] / sum); // 0 / 0: not a number
    }
    return new ExactAnswer(logZ, sums);
  }
}
