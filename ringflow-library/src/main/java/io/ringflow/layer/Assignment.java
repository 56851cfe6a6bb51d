package io.ringflow.layer;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The assignment of rows to columns that has the greatest total weight.
 *
 * <h2>Exactly</h2>
 *
 * Weights become integers first: the largest is given {@value #BITS} bits, so that of two 32-bit
 * floats neither loses anything unless one is 2<sup>36</sup> times smaller. All else is integer
 * arithmetic, and the answer is a function of these integers alone: of all assignments of the
 * greatest total it is the first in the order of the dictionary, which gives row 0 the lowest
 * column it can have, then row 1, and so on. Sums of doubles would round by the way they were added
 * up, and decide equal totals by accident.
 *
 * <h2>How</h2>
 *
 * Rows enter one at a time, each by the shortest augmenting path (Jonker and Volgenant 1987). Row
 * and column prices are kept such that {@code cost - price of row - price of column} is nowhere
 * negative and is zero, "tight", wherever a row has its column. The best assignments are then
 * exactly those of tight entries (complementary slackness), and the first of them is found by
 * exchanging columns along tight entries.
 *
 * <p>Cost: O(K<sup>3</sup>) for either part.
 *
 * <p>Nothing overflows. Column prices are not positive, and some column has price 0: one that is
 * free, or was until the last row took it. With costs within C a row's price is therefore at most
 * C, that of a column at least -2C, and no slack exceeds 4C = 2<sup>62</sup>.
 */
final class Assignment {
  private static final int BITS = 60;

  private final int size;
  private final long[][] costs;
  private final long[] rowPrices;
  private final long[] columnPrices;
  private final int[] columns; // of each row
  private final int[] rows; // of each column; -1 while it is free

  private Assignment(long[][] costs) {
    this.size = costs.length;
    this.costs = costs;
    this.rowPrices = new long[size];
    this.columnPrices = new long[size];
    this.columns = new int[size];
    this.rows = new int[size];
    Arrays.fill(rows, -1);
  }

  /**
   * The best assignment. It is a permutation whatever the weights: what is not a number counts as
   * 0, and so does anything of ordinary size beside something infinite.
   *
   * @param weights {@code [row][column]}, square
   * @return the column of each row
   */
  static int[] best(double[][] weights) {
    Assignment assignment = new Assignment(costs(weights));
    for (int row = 0; row < weights.length; row++) {
      assignment.enter(row);
    }
    for (int row = 0; row < weights.length; row++) {
      assignment.lower(row);
    }
    return assignment.columns;
  }

  private static long[][] costs(double[][] weights) {
    double largest = 0;
    for (double[] row : weights) {
      for (double weight : row) {
        largest = Math.abs(weight) > largest ? Math.abs(weight) : largest;
      }
    }
    int shift = BITS - 1 - Math.getExponent(largest);
    long limit = 1L << BITS;
    long[][] costs = new long[weights.length][weights.length];
    for (int row = 0; row < weights.length; row++) {
      for (int column = 0; column < weights.length; column++) {
        long rounded = Math.round(Math.scalb(weights[row][column], shift));
        costs[row][column] = -Math.max(-limit, Math.min(limit, rounded));
      }
    }
    return costs;
  }

  private long slack(int row, int column) {
    return costs[row][column] - rowPrices[row] - columnPrices[column];
  }

  /** Finds a column for another row; those that have one may have to move on. */
  private void enter(int entering) {
    long[] distances = new long[size];
    Arrays.fill(distances, Long.MAX_VALUE);
    int[] previous = new int[size]; // the column before this one on the path; -1 for none
    boolean[] reached = new boolean[size];
    int column = -1;
    int row = entering;
    do {
      int nearest = -1;
      for (int other = 0; other < size; other++) {
        if (!reached[other]) {
          if (slack(row, other) < distances[other]) {
            distances[other] = slack(row, other);
            previous[other] = column;
          }
          nearest = nearest < 0 || distances[other] < distances[nearest] ? other : nearest;
        }
      }
      long step = distances[nearest];
      rowPrices[entering] += step;
      for (int other = 0; other < size; other++) {
        if (reached[other]) {
          rowPrices[rows[other]] += step;
          columnPrices[other] -= step;
        } else {
          distances[other] -= step;
        }
      }
      reached[nearest] = true;
      column = nearest;
      row = rows[nearest];
    } while (row >= 0);
    while (column >= 0) {
      int before = previous[column];
      give(column, before < 0 ? entering : rows[before]);
      column = before;
    }
  }

  /**
   * Gives a row the lowest column it can have while the total stays and earlier rows keep theirs.
   */
  private void lower(int lowered) {
    int left = columns[lowered];
    // Which columns could be vacated if this row left its own, found backwards from there; and the
    // column that the row on each would take.
    int[] next = new int[size];
    Arrays.fill(next, -1);
    next[left] = left;
    Deque<Integer> open = new ArrayDeque<>();
    open.add(left);
    while (!open.isEmpty()) {
      int column = open.remove();
      for (int row = lowered + 1; row < size; row++) {
        if (next[columns[row]] < 0 && slack(row, column) == 0) {
          next[columns[row]] = column;
          open.add(columns[row]);
        }
      }
    }
    int target = 0;
    while (next[target] < 0 || slack(lowered, target) != 0) {
      target++;
    }
    int mover = lowered;
    while (target != left) {
      int displaced = rows[target];
      give(target, mover);
      mover = displaced;
      target = next[target];
    }
    give(left, mover);
  }

  private void give(int column, int row) {
    columns[row] = column;
    rows[column] = row;
  }
}
