package io.ringflow.internal.coding;

import io.ringflow.core.Space;
import io.ringflow.internal.engine.Conditionals;

/**
 * The symbols of a block of rows: which there are, in what order they are written, and which ones
 * of the last row are known without.
 */
final class BlockShape {
  /** Every place of the last row must be told. */
  static final int[] NOTHING_SETTLED = {};

  private final int rows;
  private final int[] cardinalities;
  private final int[] groupStarts; // of each place
  private final int[] groupSizes; // of each place
  private final int maxSymbols;
  private final int[] settled;

  /**
   * A block.
   *
   * @param rows how many
   * @param settled of the last row; see {@link Conditionals#settled}
   */
  BlockShape(Conditionals coding, int rows, int[] settled) {
    Space places = coding.places();
    this.rows = rows;
    this.settled = settled;
    this.maxSymbols = places.maxCardinality();
    this.cardinalities = places.cardinalities().stream().mapToInt(Integer::intValue).toArray();
    this.groupStarts = new int[cardinalities.length];
    this.groupSizes = new int[cardinalities.length];
    int[] starts = coding.groupStarts();
    for (int group = 0; group < starts.length - 1; group++) {
      for (int place = starts[group]; place < starts[group + 1]; place++) {
        groupStarts[place] = starts[group];
        groupSizes[place] = starts[group + 1] - starts[group];
      }
    }
  }

  int rows() {
    return rows;
  }

  /** How many symbols there are, settled ones included. */
  int symbols() {
    return Math.multiplyExact(rows, cardinalities.length);
  }

  int cardinality(int place) {
    return cardinalities[place];
  }

  int maxSymbols() {
    return maxSymbols;
  }

  boolean isSettled(int row, int place) {
    return row == rows - 1 && settled.length > 0 && settled[place] >= 0;
  }

  /** The symbol of a place that {@link #isSettled}. */
  int settled(int place) {
    return settled[place];
  }

  /** How many symbols are written before, settled ones included. */
  int index(int row, int place) {
    int start = groupStarts[place];
    return rows * start + row * groupSizes[place] + place - start;
  }
}
