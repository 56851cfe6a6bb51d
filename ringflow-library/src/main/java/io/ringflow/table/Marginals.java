package io.ringflow.table;

import io.ringflow.core.Space;
import java.util.Arrays;

/**
 * Independent columns, counted with half a row added for each symbol: the simplest baseline.
 * Symbols that are missing, -1, are left out.
 */
final class Marginals {
  private static final double SMOOTHING = 0.5;

  private final double[][] logProbs; // [D][K_d]

  private Marginals(double[][] logProbs) {
    this.logProbs = logProbs;
  }

  static Marginals of(Space space, int[][] rows) {
    double[][] logProbs = new double[space.size()][];
    for (int d = 0; d < logProbs.length; d++) {
      double[] counts = new double[space.cardinality(d)];
      Arrays.fill(counts, SMOOTHING);
      for (int[] row : rows) {
        if (row[d] >= 0) {
          counts[row[d]]++;
        }
      }
      double total = Arrays.stream(counts).sum();
      logProbs[d] = Arrays.stream(counts).map(count -> Math.log(count / total)).toArray();
    }
    return new Marginals(logProbs);
  }

  /** The mean log-probability of a row, in nats. */
  double meanLogProb(int[][] rows) {
    double sum = 0;
    for (int[] row : rows) {
      for (int d = 0; d < row.length; d++) {
        sum += row[d] < 0 ? 0 : logProbs[d][row[d]];
      }
    }
    return sum / rows.length;
  }
}
