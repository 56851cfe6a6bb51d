package io.ringflow.paper.oracle;

import java.util.function.DoubleUnaryOperator;

/**
 * The Ising model on a torus without a field, solved exactly by Kaufman's formula (Physical Review
 * 76, 1949): {@code p(s)} proportional to {@code exp(beta * sum of neighbours' products)}.
 *
 * <p>With {@code s = sinh 2 beta}, m rows and n columns, Z is {@code (2 s)^(m n / 2) / 2} times the
 * sum of four products over r: of {@code 2 cosh(m g(2r+1) / 2)}, {@code 2 sinh(m g(2r+1) / 2)},
 * {@code 2 cosh(m g(2r) / 2)} and {@code 2 sinh(m g(2r) / 2)}, where {@code cosh g(q) = s + 1/s -
 * cos(pi q / n)}. All g are positive but g(0), which has the sign of {@code s - 1} and so changes
 * it at the critical point.
 */
public final class KaufmanIsing {
  /** Keeps the square root of sinh 2 beta within the range of a double. */
  private static final double MAX_BETA = 500;

  private KaufmanIsing() {}

  /**
   * Returns the logarithm of the sum of all weights.
   *
   * <p>Along a side of 2 sites each pair of neighbours is joined twice.
   *
   * @param rows at least 2
   * @param columns at least 2
   * @param beta the inverse temperature, from 0 to 500: the couplings favour equal spins
   */
  public static double logPartition(int rows, int columns, double beta) {
    if (Math.min(rows, columns) < 2) {
      throw new IllegalArgumentException(
          "rows and columns must be at least 2, but are " + rows + " and " + columns);
    }
    if (!(beta >= 0 && beta <= MAX_BETA)) {
      throw new IllegalArgumentException("beta must be in 0..500, but is " + beta);
    }
    if (beta == 0) {
      return rows * columns * Math.log(2);
    }
    // sinh overflows long before its logarithm does.
    double logSinh = 2 * beta + Math.log(-Math.expm1(-4 * beta)) - Math.log(2);
    double[] logs = {
      logProduct(rows, columns, logSinh, 1, KaufmanIsing::logTwoCosh),
      logProduct(rows, columns, logSinh, 1, KaufmanIsing::logTwoSinh),
      logProduct(rows, columns, logSinh, 0, KaufmanIsing::logTwoCosh),
      logProduct(rows, columns, logSinh, 0, KaufmanIsing::logTwoSinh)
    };
    double max = Math.max(logs[0], logs[2]);
    double sum = Math.signum(logSinh) * Math.exp(logs[3] - max);
    for (int i = 0; i < 3; i++) {
      sum += Math.exp(logs[i] - max);
    }
    return rows * columns / 2.0 * (Math.log(2) + logSinh) - Math.log(2) + max + Math.log(sum);
  }

  private static double logProduct(
      int rows, int columns, double logSinh, int firstQ, DoubleUnaryOperator logFunction) {
    CompensatedSum sum = new CompensatedSum();
    for (int q = firstQ; q < 2 * columns; q += 2) {
      sum.add(logFunction.applyAsDouble(rows * gamma(logSinh, Math.PI * q / columns) / 2));
    }
    return sum.value();
  }

  /**
   * Returns |g|, from {@code cosh g - 1 = 2 sinh(g/2)^2 = (s + 1/s - 2) + (1 - cos angle)}, both of
   * which are computed as squares: near the critical point the difference of cosh g and 1 is lost.
   */
  private static double gamma(double logSinh, double angle) {
    // (s + 1/s - 2) / 2 = 2 sinh(log(s) / 2)^2 and (1 - cos a) / 2 = sin(a / 2)^2
    double half = Math.hypot(Math.sqrt(2) * Math.sinh(logSinh / 2), Math.sin(angle / 2));
    return 2 * asinh(half);
  }

  private static double asinh(double x) {
    return Math.log1p(x + x / (1 + Math.hypot(1, x)) * x);
  }

  private static double logTwoCosh(double x) {
    return x + Math.log1p(Math.exp(-2 * x));
  }

  private static double logTwoSinh(double x) {
    return x + Math.log(-Math.expm1(-2 * x));
  }
}
