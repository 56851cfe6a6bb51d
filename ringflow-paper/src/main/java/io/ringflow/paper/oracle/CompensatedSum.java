package io.ringflow.paper.oracle;

/**
 * A sum of many numbers whose rounding error does not grow with their number (Neumaier's variant of
 * Kahan's summation).
 */
public final class CompensatedSum {
  private double sum;
  private double lost; // what rounding has taken from the sum so far

  public void add(double x) {
    double next = sum + x;
    lost += Math.abs(sum) >= Math.abs(x) ? (sum - next) + x : (x - next) + sum;
    sum = next;
  }

  public double value() {
    // Past infinity the lost part is not a number, and nothing can be lost any more.
    return Double.isFinite(sum) ? sum + lost : sum;
  }
}
