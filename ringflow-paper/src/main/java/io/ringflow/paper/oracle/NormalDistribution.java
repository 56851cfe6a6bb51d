package io.ringflow.paper.oracle;

/**
 * The standard normal distribution's cdf, to nearly the last bit of a double.
 *
 * <p>Two classical expansions meet at 2: near zero the series {@code erf z = 2/sqrt(pi) exp(-z^2)
 * sum 2^n z^(2n+1) / (2n+1)!!}, whose terms are all positive, so that nothing cancels; in the tail
 * Laplace's continued fraction for {@code erfc}, evaluated by Lentz's method. See Abramowitz and
 * Stegun 7.1.6 and 7.1.14.
 */
final class NormalDistribution {
  private static final double SERIES_END = 2;
  private static final double SQRT_PI = Math.sqrt(Math.PI);

  private NormalDistribution() {}

  /**
   * Returns the probability of {@code [from, to]}; small intervals far in a tail keep their digits.
   */
  static double between(double from, double to) {
    // The difference is taken on the side where both terms are small.
    return from > 0
        ? 0.5 * (erfc(from / Math.sqrt(2)) - erfc(to / Math.sqrt(2)))
        : 0.5 * (erfc(-to / Math.sqrt(2)) - erfc(-from / Math.sqrt(2)));
  }

  /** Returns the probability of {@code (-infinity, x]}. */
  static double cdf(double x) {
    return 0.5 * erfc(-x / Math.sqrt(2));
  }

  /** Returns {@code 1 - erf(z)}, of full relative accuracy for large {@code z} too. */
  static double erfc(double z) {
    if (z < 0) {
      return 2 - erfc(-z);
    }
    return z < SERIES_END ? 1 - erfSeries(z) : erfcFraction(z);
  }

  private static double erfSeries(double z) {
    double term = z;
    double sum = z;
    for (int n = 1; term > sum * 1e-17; n++) {
      term *= 2 * z * z / (2 * n + 1);
      sum += term;
    }
    return 2 / SQRT_PI * Math.exp(-z * z) * sum;
  }

  private static double erfcFraction(double z) {
    // erfc z = exp(-z^2) / sqrt(pi) / (z + (1/2)/(z + 1/(z + (3/2)/(z + ...))))
    double c = z;
    double d = 0;
    double fraction = z;
    for (int n = 1; n <= 500; n++) {
      double a = n / 2.0;
      d = 1 / (z + a * d);
      c = z + a / c;
      fraction *= c * d;
      if (Math.abs(c * d - 1) < 1e-16) {
        break;
      }
    }
    return Math.exp(-z * z) / SQRT_PI / fraction;
  }
}
