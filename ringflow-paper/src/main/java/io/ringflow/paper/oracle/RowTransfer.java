package io.ringflow.paper.oracle;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Sums over all states of a Potts lattice, one row of the lattice at a time.
 *
 * <p>Between a row {@code r} and the row {@code s} below it stands {@code T[r][s] = exp(beta *
 * (equal pairs between r and s + equal pairs within s))}. A product of such matrices is a sum over
 * the rows between, so all that follows is linear algebra on the {@code S = K^side} states of one
 * row. Open edges begin with the first row's own weight and end with ones; periodic edges close the
 * ring, {@code Z = trace T^side}.
 *
 * <p>The tables keep what lies below each row already summed up. Sampling therefore walks from the
 * first row to the last and never rejects.
 */
final class RowTransfer {
  private final int side;
  private final int rowStates; // S
  private final boolean periodic;
  private final int[][] symbols; // [S, side]
  private final double[][] weight; // T, [S, S]

  /**
   * {@code below[t][first][r]}: the sum over all rows below row t, which is in state r, of their
   * weight. Under periodic edges the ring closes on a first row in state {@code first}; under open
   * ones the first row does not matter and the index is 0 alone.
   */
  private final double[][][] below; // [side, S or 1, S]

  private final double[] ones; // [S]
  private final double[] firstRow; // unnormalised probability of each state of the first row, [S]
  private final double partition;
  private final double meanEqualPairs;

  RowTransfer(int side, int states, double beta, boolean periodic) {
    this.side = side;
    this.periodic = periodic;
    rowStates = (int) Math.round(Math.pow(states, side));
    symbols = new int[rowStates][side];
    for (int r = 0; r < rowStates; r++) {
      int rest = r;
      for (int x = side - 1; x >= 0; x--) {
        symbols[r][x] = rest % states;
        rest /= states;
      }
    }
    weight = new double[rowStates][rowStates];
    double[][] slope = new double[rowStates][rowStates]; // dT/dbeta
    for (int r = 0; r < rowStates; r++) {
      for (int s = 0; s < rowStates; s++) {
        int pairs = pairsBetween(symbols[r], symbols[s]) + pairsWithin(symbols[s]);
        weight[r][s] = Math.exp(beta * pairs);
        slope[r][s] = pairs * weight[r][s];
      }
    }

    ones = new double[rowStates];
    Arrays.fill(ones, 1);
    // d log Z / d beta is the expected number of pairs: carried along beside the sums themselves.
    below = new double[side][][];
    below[side - 1] = periodic ? transposed(weight) : new double[][] {ones};
    double[][] belowSlope = periodic ? transposed(slope) : new double[1][rowStates];
    for (int t = side - 2; t >= 0; t--) {
      below[t] = times(weight, below[t + 1]);
      belowSlope = plus(times(slope, below[t + 1]), times(weight, belowSlope));
    }

    firstRow = new double[rowStates];
    double sum = 0;
    double sumSlope = 0;
    for (int r = 0; r < rowStates; r++) {
      // On the ring the first row's own pairs are paid when it is closed.
      int own = periodic ? 0 : pairsWithin(symbols[r]);
      int first = periodic ? r : 0;
      double ownWeight = Math.exp(beta * own);
      firstRow[r] = ownWeight * below[0][first][r];
      sum += firstRow[r];
      sumSlope += ownWeight * (own * below[0][first][r] + belowSlope[first][r]);
    }
    partition = sum;
    meanEqualPairs = sumSlope / sum;
  }

  private static int pairsBetween(int[] upper, int[] lower) {
    int pairs = 0;
    for (int x = 0; x < upper.length; x++) {
      pairs += upper[x] == lower[x] ? 1 : 0;
    }
    return pairs;
  }

  private int pairsWithin(int[] row) {
    int pairs = periodic && row[side - 1] == row[0] ? 1 : 0;
    for (int x = 1; x < side; x++) {
      pairs += row[x - 1] == row[x] ? 1 : 0;
    }
    return pairs;
  }

  private static double[][] transposed(double[][] matrix) {
    double[][] result = new double[matrix.length][matrix.length];
    for (int r = 0; r < matrix.length; r++) {
      for (int s = 0; s < matrix.length; s++) {
        result[s][r] = matrix[r][s];
      }
    }
    return result;
  }

  /** Returns {@code result[f][r] = sum over s of matrix[r][s] * vectors[f][s]}. */
  private static double[][] times(double[][] matrix, double[][] vectors) {
    double[][] result = new double[vectors.length][matrix.length];
    for (int f = 0; f < vectors.length; f++) {
      for (int r = 0; r < matrix.length; r++) {
        double sum = 0;
        for (int s = 0; s < matrix.length; s++) {
          sum += matrix[r][s] * vectors[f][s];
        }
        result[f][r] = sum;
      }
    }
    return result;
  }

  private static double[][] plus(double[][] a, double[][] b) {
    for (int f = 0; f < a.length; f++) {
      for (int r = 0; r < a[f].length; r++) {
        a[f][r] += b[f][r];
      }
    }
    return a;
  }

  double partition() {
    return partition;
  }

  double meanEqualPairs() {
    return meanEqualPairs;
  }

  /** Fills one lattice, row-major. */
  void sample(int[] lattice, RandomGenerator rng) {
    int r = sample(firstRow, ones, partition, rng);
    System.arraycopy(symbols[r], 0, lattice, 0, side);
    int first = periodic ? r : 0;
    for (int t = 1; t < side; t++) {
      // The sum of the candidates' weights is known: it is what lies below the row above.
      r = sample(weight[r], below[t][first], below[t - 1][first][r], rng);
      System.arraycopy(symbols[r], 0, lattice, t * side, side);
    }
  }

  /** Samples s with probability {@code a[s] * b[s] / total}. */
  private static int sample(double[] a, double[] b, double total, RandomGenerator rng) {
    double u = rng.nextDouble() * total;
    int last = a.length - 1;
    for (int s = 0; s < last; s++) {
      u -= a[s] * b[s];
      if (u < 0) {
        return s;
      }
    }
    return last;
  }
}
