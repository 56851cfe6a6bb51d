package io.ringflow.table;

import io.ringflow.core.Space;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * How much the positions of rows know of each other, two by two, beyond chance.
 *
 * <p>Of N rows, two independent positions seem to know {@code (K_i - 1)(K_j - 1) / 2N} nats of each
 * other. That is taken away here, so that columns of many symbols do not find each other for
 * nothing.
 */
final class Dependencies {
  /** Combinations of two positions' symbols that are worth counting. */
  private static final int MAX_COMBINATIONS = 2048;

  private final Space space;
  private final int[][] rows;
  private final double[][] nats; // [D, D], beyond chance

  private Dependencies(Space space, int[][] rows, double[][] nats) {
    this.space = space;
    this.rows = rows;
    this.nats = nats;
  }

  /**
   * Counts pairs of symbols.
   *
   * @param rows at least one
   */
  static Dependencies of(Space space, int[][] rows) {
    var counts = new ChowLiu.Counts(space, rows, 0);
    double[][] nats = new double[space.size()][space.size()];
    for (int i = 0; i < space.size(); i++) {
      for (int j = 0; j < i; j++) {
        nats[i][j] =
            counts.mutualInformation(i, j)
                - chance(space.cardinality(i), space.cardinality(j), rows.length);
        nats[j][i] = nats[i][j];
      }
    }
    return new Dependencies(space, rows, nats);
  }

  private static double chance(int symbols, int others, int rows) {
    return (symbols - 1.0) * (others - 1.0) / (2.0 * rows);
  }

  /** The tree of the strongest dependencies, as {@link ChowLiu#parents} has them. */
  int[] tree() {
    return ChowLiu.maximumSpanningTree(nats.length, (i, j) -> nats[i][j]);
  }

  /**
   * The one position, or the two together, among some, that know most of another: more than a table
   * of them all would learn that is not so, which is about what chance gives twice. None if there
   * is no such.
   */
  List<Integer> strongest(int position, IntPredicate among) {
    int own = space.cardinality(position);
    List<Integer> best = List.of();
    double worth = 0;
    for (int other = 0; other < nats.length; other++) {
      if (other != position && among.test(other)) {
        double gain = nats[position][other] - chance(own, space.cardinality(other), rows.length);
        if (gain > worth) {
          worth = gain;
          best = List.of(other);
        }
      }
    }
    if (best.isEmpty()) {
      return best;
    }
    int head = best.get(0);
    for (int other = 0; other < nats.length; other++) {
      long together = (long) space.cardinality(head) * space.cardinality(other);
      if (other != position && other != head && among.test(other) && together <= MAX_COMBINATIONS) {
        double gain =
            together(position, head, other) - 2 * chance(own, (int) together, rows.length);
        if (gain > worth) {
          worth = gain;
          best = List.of(head, other);
        }
      }
    }
    return best;
  }

  /** What two positions together know of one, as counted. */
  private double together(int position, int head, int other) {
    int[][] joined = new int[rows.length][2];
    int width = space.cardinality(other);
    for (int n = 0; n < rows.length; n++) {
      joined[n][0] = rows[n][position];
      joined[n][1] = rows[n][head] * width + rows[n][other];
    }
    Space both = Space.of(space.cardinality(position), space.cardinality(head) * width);
    return new ChowLiu.Counts(both, joined, 0).mutualInformation(0, 1);
  }
}
