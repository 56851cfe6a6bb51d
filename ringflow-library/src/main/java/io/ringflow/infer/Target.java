package io.ringflow.infer;

/**
 * A distribution known up to a constant: says how much weight rows have.
 *
 * <pre>{@code
 * Target coins = rows -> Arrays.stream(rows).mapToDouble(row -> row[0] == row[1] ? 1 : 0).toArray();
 * }</pre>
 *
 * <p>The probability of a row is {@code exp(log-weight) / Z}, where Z is the sum over all rows of
 * the space, which nobody needs to know. {@link Double#NEGATIVE_INFINITY} is the log-weight of an
 * impossible row; not a number and positive infinity are mistakes, and end what asked.
 */
@FunctionalInterface
public interface Target {
  /**
   * The natural logarithm of each row's weight.
   *
   * @param rows of the space; not to be changed
   * @return one for each row, in their order
   */
  double[] logWeights(int[][] rows);
}
