package io.ringflow.compress;

import java.util.Arrays;

/**
 * Least squares, learned as numbers come: what a number is, linearly, of others.
 *
 * <p>In plain Java arithmetic without fused operations, which is the same on every machine.
 */
final class Regression {
  private static final int MIN_ROWS = 16;
  private static final int MAX_WAIT = 256;
  private static final double RIDGE = 1e-7;

  private final int size;
  private final double[] products; // of features, lower triangle used
  private final double[] targets;
  private final double[] weights;
  private int rows;
  private int next = MIN_ROWS;

  /** Of so many features, the first of which is always 1. */
  Regression(int size) {
    this.size = size;
    products = new double[size * size];
    targets = new double[size];
    weights = new double[size];
  }

  /** What is expected, given features. */
  double expected(double[] features) {
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += weights[i] * features[i];
    }
    return sum;
  }

  /** Learns from a row. */
  void learn(double[] features, double target) {
    for (int i = 0; i < size; i++) {
      double own = features[i];
      targets[i] += own * target;
      int at = i * size;
      for (int j = 0; j <= i; j++) {
        products[at + j] += own * features[j];
      }
    }
    if (++rows == next) {
      solve();
      next = rows + Math.min(MAX_WAIT, Math.max(MIN_ROWS, rows / 4));
    }
  }

  /** By Cholesky's decomposition. */
  private void solve() {
    double[] lower = new double[size * size];
    double[] solved = new double[size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = products[i * size + j];
        if (i == j) {
          sum += RIDGE * (sum + rows);
        }
        for (int k = 0; k < j; k++) {
          sum -= lower[i * size + k] * lower[j * size + k];
        }
        if (i > j) {
          lower[i * size + j] = sum / lower[j * size + j];
        } else if (sum > 0) {
          lower[i * size + i] = Math.sqrt(sum);
        } else {
          return; // the old weights will do
        }
      }
    }
    for (int i = 0; i < size; i++) {
      double sum = targets[i];
      for (int k = 0; k < i; k++) {
        sum -= lower[i * size + k] * solved[k];
      }
      solved[i] = sum / lower[i * size + i];
    }
    for (int i = size - 1; i >= 0; i--) {
      double sum = solved[i];
      for (int k = i + 1; k < size; k++) {
        sum -= lower[k * size + i] * weights[k];
      }
      weights[i] = sum / lower[i * size + i];
      if (!Double.isFinite(weights[i])) {
        Arrays.fill(weights, 0);
        return;
      }
    }
  }
}
