package io.ringflow.internal.engine;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Uniform random numbers, so many for each row: those of a row follow from the seed and its number
 * alone, in whatever chunks rows are asked for.
 */
final class RowUniforms {
  private final RandomGenerator random;
  private final int perRow;
  private double[] drawn = {};
  private int first; // the row whose numbers begin drawn

  RowUniforms(long seed, int perRow) {
    this.random = new SplittableRandom(seed);
    this.perRow = perRow;
  }

  /**
   * The numbers of some rows, and zeros behind them. Rows before the first ones are forgotten.
   *
   * @param from not before the last call's
   * @param rows how many rows the result is long
   */
  double[] rows(int from, int to, int rows) {
    int start = drawn.length;
    drawn = Arrays.copyOf(drawn, Math.max(start, (to - first) * perRow));
    for (int i = start; i < drawn.length; i++) {
      drawn[i] = random.nextDouble();
    }
    drawn = Arrays.copyOfRange(drawn, (from - first) * perRow, drawn.length);
    first = from;
    return Arrays.copyOf(Arrays.copyOf(drawn, (to - from) * perRow), rows * perRow);
  }
}
