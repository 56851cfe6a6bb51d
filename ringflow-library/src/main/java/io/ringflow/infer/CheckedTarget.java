package io.ringflow.infer;

import java.util.Arrays;

/** A target whose answers are looked at. */
final class CheckedTarget implements Target {
  private final Target target;

  CheckedTarget(Target target) {
    this.target = target;
  }

  /**
   * The log-weights of the rows, each a number or minus infinity.
   *
   * @throws IllegalStateException naming the first row with another, or how many are missing
   */
  @Override
  public double[] logWeights(int[][] rows) {
    double[] logWeights = target.logWeights(rows);
    if (logWeights == null || logWeights.length != rows.length) {
      throw new IllegalStateException(
          "the target must return a log-weight for each row, but returned "
              + (logWeights == null ? "null" : logWeights.length)
              + " for "
              + rows.length
              + " rows");
    }
    for (int i = 0; i < rows.length; i++) {
      if (Double.isNaN(logWeights[i]) || logWeights[i] == Double.POSITIVE_INFINITY) {
        throw new IllegalStateException(
            "the target's log-weights must be numbers or minus infinity, but that of row "
                + Arrays.toString(rows[i])
                + " is "
                + logWeights[i]);
      }
    }
    return logWeights;
  }
}
