package io.ringflow.infer;

import java.util.Arrays;

/**
 * The shape of a tail: a generalised Pareto distribution fitted to the largest of some numbers by
 * Zhang and Stephens (2009), with the sizes and the weak prior of Vehtari et al.'s Pareto smoothed
 * importance sampling.
 */
final class ParetoTail {
  private static final int FEWEST = 5;
  private static final double PRIOR_WEIGHT = 10;
  private static final double PRIOR_INDEX = 0.5;

  private ParetoTail() {}

  /**
   * The index k.
   *
   * @param values at least 0
   * @return minus infinity where the largest are all the same: there is no tail
   */
  static double index(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int count = (int) Math.min(0.2 * sorted.length, 3 * Math.sqrt(sorted.length));
    if (count < FEWEST) {
      return Double.POSITIVE_INFINITY; // too few to say
    }
    double cut = sorted[sorted.length - count - 1];
    double[] tail = Arrays.copyOfRange(sorted, sorted.length - count, sorted.length);
    if (tail[count - 1] - cut <= 1e-12 * tail[count - 1]) {
      return Double.NEGATIVE_INFINITY;
    }
    double[] excess = Arrays.stream(tail).map(x -> Math.max(x - cut, 1e-300)).toArray();
    return fit(excess);
  }

  private static double fit(double[] excess) {
    int n = excess.length;
    int grid = 30 + (int) Math.sqrt(n);
    double quartile = excess[(int) (n / 4.0 + 0.5) - 1];
    double[] theta = new double[grid];
    double[] likelihood = new double[grid];
    for (int i = 0; i < grid; i++) {
      theta[i] = 1 / excess[n - 1] + (1 - Math.sqrt(grid / (i + 0.5))) / (3 * quartile);
      double k = shape(excess, theta[i]);
      likelihood[i] = n * (Math.log(-theta[i] / k) - k - 1);
    }
    double mean = 0;
    for (int i = 0; i < grid; i++) {
      double total = 0;
      for (int j = 0; j < grid; j++) {
        total += Math.exp(likelihood[j] - likelihood[i]);
      }
      mean += theta[i] / total;
    }
    return (n * shape(excess, mean) + PRIOR_WEIGHT * PRIOR_INDEX) / (n + PRIOR_WEIGHT);
  }

  private static double shape(double[] excess, double theta) {
    return Arrays.stream(excess).map(x -> Math.log1p(-theta * x)).average().orElseThrow();
  }
}
