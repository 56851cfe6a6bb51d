package io.ringflow.infer;

/** A target whose answers are looked at. */
final class CheckedTarget implements Target {
  private final Target target;

  CheckedTarget(Target target) {
    this.target = target;
  }

  /**
   * The log-weights.
   *
   * @throws IllegalStateException if the target does not answer each row, or not by a logarithm
   */
  @Override
  public double[] logWeights(int[][] rows) {
    double[] result = target.logWeights(rows);
    if (result == null || result.length != rows.length) {
      throw new IllegalStateException(
          "the target was asked for "
              + rows.length
              + " log-weights, but gave "
              + (result == null ? "null" : result.length));
    }
    for (int i = 0; i < result.length; i++) {
      if (Double.isNaN(result[i]) || result[i] == Double.POSITIVE_INFINITY) {
        throw new IllegalStateException(
            "the target's log-weight must be a number or minus infinity, but is "
                + result[i]
                + " for the row "
                + Rows.text(rows[i]));
      }
    }
    return result;
  }
}
