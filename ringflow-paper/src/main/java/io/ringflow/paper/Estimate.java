package io.ringflow.paper;

/**
 * A figure known from a sample, and how far it may be off.
 *
 * @param value the estimate
 * @param standardError the standard deviation of its error
 */
public record Estimate(double value, double standardError) {
  /**
   * Estimates a model's cross entropy on a distribution whose entropy is known exactly, from fresh
   * rows of that distribution: {@code entropy + mean of (log p - log q)}.
   *
   * <p>It is unbiased, as {@code -mean of log q} is, but samples only the divergence: the scatter
   * of {@code log p} itself is taken out, and a model that is exact is scored without any error. If
   * the model calls one of the rows impossible, the value is infinite and the standard error not a
   * number.
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
    if (n < 2) {
      throw new IllegalArgumentException("at least 2 rows are needed, but there are " + n);
    }
    var sum = new CompensatedSum();
    for (int i = 0; i < n; i++) {
      sum.add(logP[i] - logQ[i]);
    }
    double mean = sum.value() / n;
    var squares = new CompensatedSum();
    for (int i = 0; i < n; i++) {
      double deviation = logP[i] - logQ[i] - mean;
      squares.add(deviation * deviation);
    }
    return new Estimate(entropy + mean, Math.sqrt(squares.value() / (n - 1) / n));
  }
}
