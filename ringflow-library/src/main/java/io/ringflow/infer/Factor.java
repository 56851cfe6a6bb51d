package io.ringflow.infer;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

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

  /**
   * Whether every permutation of the symbols leaves the values as they are: those that swap two
   * that follow each other make all of them.
   *
   * @param symbols of each position
   */
  boolean isSymmetric(int symbols) {
    return IntStream.range(1, symbols)
        .allMatch(
            second ->
                IntStream.range(0, logValues.length)
                    .allMatch(i -> logValues[i] == logValues[swapped(i, second, symbols)]));
  }

  /** A combination with a symbol and the one before it swapped at all positions. */
  private int swapped(int index, int second, int symbols) {
    int result = 0;
    int rest = index;
    int stride = 1;
    for (int i = 0; i < positions.size(); i++) {
      int symbol = rest % symbols;
      int image = symbol == second ? second - 1 : symbol == second - 1 ? second : symbol;
      result += stride * image;
      stride *= symbols;
      rest /= symbols;
    }
    return result;
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
