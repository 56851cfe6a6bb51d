package io.ringflow.testing;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Pearson's test of counts against probabilities.
 *
 * <p>Cells expected fewer than five times are pooled into one. The tests that use it have fixed
 * seeds, accept above a p-value of {@link #ACCEPTED} and show that a slightly wrong distribution
 * falls below {@link #REJECTED}.
 */
public record ChiSquare(double statistic, int degreesOfFreedom) {
  /** A sampler that is right fails a test of a new seed once in ten thousand times. */
  public static final double ACCEPTED = 1e-4;

  /** A sampler that is wrong must be detected without any doubt. */
  public static final double REJECTED = 1e-9;

  /** The test of how often each cell occurred against the probability of each. */
  public static ChiSquare of(int[] counts, double[] p) {
    long n = Arrays.stream(counts).asLongStream().sum();
    double statistic = 0;
    int cells = 0;
    double pooledExpected = 0;
    long pooledCount = 0;
    for (int cell = 0; cell < p.length; cell++) {
      double expected = n * p[cell];
      if (expected == 0 && counts[cell] > 0) {
        return new ChiSquare(Double.POSITIVE_INFINITY, Math.max(1, cells));
      }
      if (expected >= 5) {
        statistic += (counts[cell] - expected) * (counts[cell] - expected) / expected;
        cells++;
      } else {
        pooledExpected += expected;
        pooledCount += counts[cell];
      }
    }
    if (pooledExpected > 0) {
      statistic += (pooledCount - pooledExpected) * (pooledCount - pooledExpected) / pooledExpected;
      cells++;
    }
    return new ChiSquare(statistic, cells - 1);
  }

  /**
   * The test of sampled rows against the probabilities of all possible ones.
   *
   * @throws IllegalArgumentException if a sampled row is not among the possible ones, or if the
   *     sample is too small to tell anything
   */
  public static ChiSquare of(int[][] sampled, int[][] possible, double[] p) {
    Map<List<Integer>, Integer> cells = new HashMap<>();
    for (int[] row : possible) {
      cells.put(Arrays.stream(row).boxed().toList(), cells.size());
    }
    int[] counts = new int[possible.length];
    for (int[] row : sampled) {
      Integer cell = cells.get(Arrays.stream(row).boxed().toList());
      if (cell == null) {
        throw new IllegalArgumentException(Arrays.toString(row) + " is not among possible rows");
      }
      counts[cell]++;
    }
    ChiSquare result = of(counts, p);
    if (result.degreesOfFreedom < 2 && Double.isFinite(result.statistic)) {
      throw new IllegalArgumentException("too few cells: sample more rows");
    }
    return result;
  }

  /**
   * The chance of a larger statistic, exactly: {@code Q(df / 2, x / 2)} by the recurrence {@code
   * Q(a + 1, h) = Q(a, h) + h^a e^-h / Gamma(a + 1)}, from {@code Q(0, h) = 0} or {@code Q(1/2, h)
   * = erfc(sqrt h)}.
   */
  public double pValue() {
    if (statistic == 0 || Double.isInfinite(statistic)) {
      return statistic == 0 ? 1 : 0;
    }
    double h = statistic / 2;
    boolean odd = degreesOfFreedom % 2 == 1;
    double q = odd ? erfc(Math.sqrt(h)) : 0;
    double logGamma = odd ? Math.log(Math.sqrt(Math.PI) / 2) : 0; // of a + 1
    for (double a = odd ? 0.5 : 0; a < degreesOfFreedom / 2.0; a++) {
      q += Math.exp(a * Math.log(h) - h - logGamma);
      logGamma += Math.log(a + 1);
    }
    return q;
  }

  /** The complementary error function, by Simpson's rule; 6 further on nothing is left of it. */
  private static double erfc(double z) {
    int steps = 20_000;
    double width = 6.0 / steps;
    double sum = 0;
    for (int i = 0; i <= steps; i++) {
      double t = z + i * width;
      sum += (i == 0 || i == steps ? 1 : 2 + 2 * (i % 2)) * Math.exp(-t * t);
    }
    return 2 / Math.sqrt(Math.PI) * width / 3 * sum;
  }
}
