package io.ringflow.infer;

import java.util.Arrays;
import java.util.List;

/**
 * A function of a few positions, whose logarithm adds to a row's log-weight.
 *
 * @param positions that it depends on, each once; none for a constant
 * @param logValues of all combinations of their symbols, the last position changing fastest; {@link
 *     Double#NEGATIVE_INFINITY} for a combination that is impossible
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content below
public record Factor(List<Integer> positions, double[] logValues) {
  /** Copies both, and checks that no position occurs twice and every value is a logarithm. */
  public Factor {
    positions = List.copyOf(positions);
    logValues = logValues.clone();
    if (positions.stream().distinct().count() < positions.size()) {
      throw new IllegalArgumentException(
          "a factor must name each position once, but names " + positions);
    }
    for (double value : logValues) {
      if (Double.isNaN(value) || value == Double.POSITIVE_INFINITY) {
        throw new IllegalArgumentException(
            "a factor's log-values must be numbers or minus infinity, but one is " + value);
      }
    }
  }

  /** A copy of the values. */
  @Override
  public double[] logValues() {
    return logValues.clone();
  }

  /** How many values there are. */
  int size() {
    return logValues.length;
  }

  /** The value of one combination. */
  double logValue(int index) {
    return logValues[index];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Factor factor
        && positions.equals(factor.positions)
        && Arrays.equals(logValues, factor.logValues);
  }

  @Override
  public int hashCode() {
    return 31 * positions.hashCode() + Arrays.hashCode(logValues);
  }

  @Override
  public String toString() {
    return "factor of " + positions + " with " + logValues.length + " values";
  }
}
