package io.ringflow.table;

import io.ringflow.internal.fit.Shuffle;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Which rows of a table are learned from, and which are held out: the same for the same number of
 * rows and seed, so that a model's table can be split again long after training.
 *
 * @param training their numbers, in the order of batches
 * @param heldOut a tenth of the rows, at most 5,000
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record TrainingSplit(int[] training, int[] heldOut) {
  private static final double HELD_OUT_SHARE = 0.1;
  private static final int MAX_HELD_OUT = 5000;

  static TrainingSplit of(int rows, long seed) {
    int[] order = Shuffle.order(rows, new SplittableRandom(seed));
    int held = (int) Math.min(MAX_HELD_OUT, Math.max(1, rows * HELD_OUT_SHARE));
    return new TrainingSplit(
        Arrays.copyOfRange(order, held, rows), Arrays.copyOfRange(order, 0, held));
  }

  /** The rows of these numbers. */
  static int[][] select(int[][] rows, int[] which) {
    return Arrays.stream(which).mapToObj(i -> rows[i]).toArray(int[][]::new);
  }
}
