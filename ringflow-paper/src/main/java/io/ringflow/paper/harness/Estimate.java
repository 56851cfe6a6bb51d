package io.ringflow.paper.harness;

import io.ringflow.paper.oracle.CompensatedSum;

/**
 * A value estimated from a sample, and its standard error.
 *
 * @param value the estimate
 * @param standardError the standard deviation of its error
 */
public record Estimate(double value, double standardError) {
  /**
   * Estimates a model's cross entropy on a distribution whose entropy is known exactly, from fresh
   * rows of that distribution.
   *
   * <p>The mean of {@code -log q} scatters as the rows do; what {@code log p} tells of a row's
   * scatter is taken out by regression, as its own mean is known to be minus the entropy. A model
   * that is exact is scored without any error, and one that tells nothing of p at least no worse
   * than by the plain mean. If the model calls one of the rows impossible, the value is infinite
   * and the standard error not a number.
   *
   * @param entropy of p, exact, in nats
   * @param logP the exact log-probability of each row
   * @param logQ the model's
   */
  public static Estimate crossEntropy(double entropy, double[] logP, double[] logQ) {
    int n = logP.length;
    if (n != logQ.length) {
      throw new IllegalArgumentException(
          "logP and logQ must be of the same rows, but have %d and %d".formatted(n, logQ.length));
    }
    if (n < 3) {
      throw new IllegalArgumentException("at least 3 rows are needed, but there are " + n);
    }
    double meanP = average(logP);
    double meanQ = average(logQ);
    if (meanQ == Double.NEGATIVE_INFINITY) {
      return new Estimate(Double.POSITIVE_INFINITY, Double.NaN);
    }
    var squaresP = new CompensatedSum();
    var products = new CompensatedSum();
    for (int i = 0; i < n; i++) {
      double deviation = logP[i] - meanP;
      squaresP.add(deviation * deviation);
      products.add(deviation * (logQ[i] - meanQ));
    }
    double slope = squaresP.value() > 0 ? products.value() / squaresP.value() : 0;
    var squares = new CompensatedSum();
    for (int i = 0; i < n; i++) {
      double residual = logQ[i] - meanQ - slope * (logP[i] - meanP);
      squares.add(residual * residual);
    }
    return new Estimate(
        -meanQ + slope * (meanP + entropy), Math.sqrt(squares.value() / (n - 2) / n));
  }

  /** The mean of independent values. */
  public static Estimate mean(double[] values) {
    if (values.length < 2) {
      throw new IllegalArgumentException(
          "at least 2 values are needed, but there are " + values.length);
    }
    double mean = average(values);
    var squares = new CompensatedSum();
    for (double value : values) {
      squares.add((value - mean) * (value - mean));
    }
    return new Estimate(mean, Math.sqrt(squares.value() / (values.length - 1) / values.length));
  }

  private static double average(double[] values) {
    var sum = new CompensatedSum();
    for (double value : values) {
      sum.add(value);
    }
    return sum.value() / values.length;
  }
}
