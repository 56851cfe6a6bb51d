package io.ringflow.internal.coding;

import io.ringflow.core.Space;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.engine.Constraint;
import java.util.Arrays;

/**
 * The symbols of a block of rows: how many there are, in what order they are written, and which
 * symbols the last row may have where it ends early.
 */
final class BlockShape {
  private final int rows;
  private final int[] cardinalities; // of each turn
  private final int[] positions; // of each turn in the base
  private final int[] groupStarts; // of each turn
  private final int[] groupSizes; // of each turn
  private final Constraint lastRow; // null if it is a whole one

  private BlockShape(
      int rows, int[] cardinalities, int[] positions, int[] starts, Constraint lastRow) {
    this.rows = rows;
    this.cardinalities = cardinalities;
    this.positions = positions;
    this.lastRow = lastRow;
    this.groupStarts = new int[cardinalities.length];
    this.groupSizes = new int[cardinalities.length];
    for (int group = 0; group < starts.length - 1; group++) {
      Arrays.fill(groupStarts, starts[group], starts[group + 1], starts[group]);
      Arrays.fill(groupSizes, starts[group], starts[group + 1], starts[group + 1] - starts[group]);
    }
  }

  /**
   * A block of a model's rows.
   *
   * @param lastRow what the last row may be; null for anything
   */
  static BlockShape of(Conditionals conditionals, int rows, Constraint lastRow) {
    Space turns = conditionals.turns();
    int[] positions = new int[turns.size()];
    Arrays.setAll(positions, conditionals::position);
    return new BlockShape(
        rows,
        turns.cardinalities().stream().mapToInt(Integer::intValue).toArray(),
        positions,
        conditionals.groupStarts(),
        lastRow);
  }

  /** A single row of independent symbols. */
  static BlockShape ofSymbols(int count, int cardinality) {
    int[] cardinalities = new int[count];
    Arrays.fill(cardinalities, cardinality);
    return new BlockShape(1, cardinalities, new int[count], new int[] {0, count}, null);
  }

  int rows() {
    return rows;
  }

  int turns() {
    return cardinalities.length;
  }

  /** How many symbols there are, certain ones included. */
  int symbols() {
    return Math.multiplyExact(rows, cardinalities.length);
  }

  int maxSymbols() {
    return Arrays.stream(cardinalities).max().orElse(1);
  }

  /** The only symbol that there may be, which is not written; -1 if there are several. */
  int certain(int row, int turn) {
    return restricts(row, turn) ? lastRow.only(positions[turn], cardinalities[turn]) : -1;
  }

  private boolean restricts(int row, int turn) {
    return lastRow != null && row == rows - 1 && lastRow.restricts(positions[turn]);
  }

  /** Takes the probabilities of a symbol, given what the row may be. */
  void fill(Cumulative cumulative, int row, int turn, double[] logProbs, int from) {
    if (restricts(row, turn)) {
      double[] possible = lastRow.conditional(positions[turn], logProbs, from, cardinalities[turn]);
      cumulative.fill(possible, 0, cardinalities[turn]);
    } else {
      cumulative.fill(logProbs, from, cardinalities[turn]);
    }
  }

  /** How many symbols are written before, certain ones included. */
  int index(int row, int turn) {
    int start = groupStarts[turn];
    return rows * start + row * groupSizes[turn] + turn - start;
  }
}
