package io.ringflow.infer;

import java.util.Arrays;

/**
 * The shape of a tail: a generalised Pareto distribution fitted to the largest of some numbers by
 * Zhang and Stephens (2009), with the sizes and the weak prior of Vehtari et al.'s Pareto smoothed
 * importance sampling.
 */
final class ParetoTail {
  private static final int MIN_VALUES = 5;
  private static final double PRIOR_WEIGHT = 10;
  private static final double PRIOR_INDEX = 0.5;

  private ParetoTail() {}

  /**
   * The index k.
   *
   * @param values at least 0
   * @return minus infinity where the largest are but a few different ones: there is no tail;
   *     infinity where there are too few values to say
   */
  static double index(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int count = (int) Math.min(0.2 * sorted.length, 3 * Math.sqrt(sorted.length));
    if (count < MIN_VALUES) {
      return Double.POSITIVE_INFINITY;
    }
    double cut = sorted[sorted.length - count - 1];
    // Of a small space rows repeat, and their ratios with them: a few steps have no shape.
    double[] excess =
        Arrays.stream(sorted, sorted.length - count, sorted.length)
            .map(value -> value - cut)
            .filter(above -> above > 1e-12 * sorted[sorted.length - 1])
            .toArray();
    if (Arrays.stream(excess).distinct().count() < MIN_VALUES) {
      return Double.NEGATIVE_INFINITY;
    }
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
