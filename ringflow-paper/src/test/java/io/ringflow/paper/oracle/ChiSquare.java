package io.ringflow.paper.oracle;

/**
 * Pearson's test of counts against probabilities.
 *
 * <p>Cells expected fewer than five times are pooled into one. The tests that use it have fixed
 * seeds, accept above a p-value of {@link #ACCEPTED} and show that a slightly wrong distribution
 * falls below {@link #REJECTED}.
 */
record ChiSquare(double statistic, int degreesOfFreedom) {
  /** A sampler that is right fails a test of a new seed once in ten thousand times. */
  public static final double ACCEPTED = 1e-4;

  /** A sampler that is wrong must be found out without any doubt. */
  public static final double REJECTED = 1e-9;

  static ChiSquare of(int[] counts, double[] p) {
    long n = 0;
    for (int count : counts) {
      n += count;
    }
    double statistic = 0;
    int cells = 0;
    double pooledExpected = 0;
    long pooledCount = 0;
    for (int cell = 0; cell < p.length; cell++) {
      double expected = n * p[cell];
      if (expected >= 5) {
        statistic += (counts[cell] - expected) * (counts[cell] - expected) / expected;
        cells++;
      } else {
        pooledExpected += expected;
        pooledCount += counts[cell];
      }
    }
    if (pooledCount > 0 && pooledExpected == 0) {
      return new ChiSquare(Double.POSITIVE_INFINITY, Math.max(1, cells));
    }
    if (pooledExpected > 0) {
      statistic += (pooledCount - pooledExpected) * (pooledCount - pooledExpected) / pooledExpected;
      cells++;
    }
    return new ChiSquare(statistic, cells - 1);
  }

  /**
   * The chance of a larger statistic, exactly: {@code Q(df / 2, x / 2)} by the recurrence {@code
   * Q(a + 1, h) = Q(a, h) + h^a e^-h / Gamma(a + 1)}, from {@code Q(0, h) = 0} or {@code Q(1/2, h)
   * = erfc(sqrt h)}.
   */
  double pValue() {
    if (statistic == 0 || Double.isInfinite(statistic)) {
      return statistic == 0 ? 1 : 0;
    }
    double h = statistic / 2;
    boolean odd = degreesOfFreedom % 2 == 1;
    double q = odd ? NormalDistribution.erfc(Math.sqrt(h)) : 0;
    double logGamma = odd ? Math.log(Math.sqrt(Math.PI) / 2) : 0; // of a + 1
    for (double a = odd ? 0.5 : 0; a < degreesOfFreedom / 2.0; a++) {
      q += Math.exp(a * Math.log(h) - h - logGamma);
      logGamma += Math.log(a + 1);
    }
    return q;
  }
}
