package io.ringflow.paper.oracle;

/** Entropy of a table of probabilities, in nats. */
public final class Entropy {
  private Entropy() {}

  /** Returns {@code -sum p log p}. */
  public static double of(double[] p) {
    double sum = 0;
    for (double q : p) {
      sum += term(q);
    }
    return sum;
  }

  /** Returns {@code -q log q}, and its limit 0 at 0. */
  static double term(double q) {
    return q > 0 ? -q * Math.log(q) : 0;
  }
}
