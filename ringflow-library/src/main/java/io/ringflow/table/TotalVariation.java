package io.ringflow.table;

/**
 * The total variation distance of counted shares: half the sum of the differences, 0 to 1, and what
 * it would be by chance.
 */
final class TotalVariation {
  private final double perRow; // variance of a share's difference, over p (1 - p)
  private final double realWeight;
  private double distance;
  private double byChance;

  TotalVariation(long realRows, long sampledRows) {
    perRow = 1.0 / realRows + 1.0 / sampledRows;
    realWeight = realRows / (double) (realRows + sampledRows);
  }

  /** Adds one value's shares. */
  void add(double real, double sampled) {
    distance += Math.abs(real - sampled) / 2;
    // The mean of |x| is sqrt(2 / pi) for a normal x; both shares together estimate the true one.
    double share = realWeight * real + (1 - realWeight) * sampled;
    byChance += Math.sqrt(2 / Math.PI * perRow * Math.max(0, share * (1 - share))) / 2;
  }

  double distance() {
    return distance;
  }

  double byChance() {
    return byChance;
  }
}
