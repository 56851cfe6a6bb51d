package io.ringflow.table;

import io.ringflow.core.Space;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The mutual information of every two positions of rows, beyond chance.
 *
 * <p>In N rows, two independent positions have about {@code (K_i - 1)(K_j - 1) / 2N} nats of
 * counted mutual information by chance. That is subtracted here; else columns of many symbols would
 * seem to depend on each other.
 */
final class Dependencies {
  /** The maximum number of combinations of two positions' symbols that are counted. */
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

  /** The mutual information of two positions in nats, beyond chance; may be below 0. */
  double nats(int i, int j) {
    return nats[i][j];
  }

  /**
   * The parents of the tree of the strongest dependencies, in the form of {@link ChowLiu#parents}.
   */
  int[] tree() {
    return ChowLiu.maximumSpanningTree(nats.length, (i, j) -> nats[i][j]);
  }

  /**
   * The position, or the two positions together, with the most information about another one, if it
   * is worth a lookup table: more than twice what chance gives, which is about what such a table
   * learns wrongly. Empty if there is none.
   *
   * @param among the positions to choose from
   */
  List<Integer> strongest(int position, IntPredicate among) {
    int own = space.cardinality(position);
    List<Integer> best = List.of();
    double bestGain = 0;
    for (int other = 0; other < nats.length; other++) {
      if (other != position && among.test(other)) {
        double gain = nats[position][other] - chance(own, space.cardinality(other), rows.length);
        if (gain > bestGain) {
          bestGain = gain;
          best = List.of(other);
        }
      }
    }
    if (best.isEmpty()) {
      return best;
    }
    int first = best.get(0);
    for (int other = 0; other < nats.length; other++) {
      long together = (long) space.cardinality(first) * space.cardinality(other);
      if (other != position
          && other != first
          && among.test(other)
          && together <= MAX_COMBINATIONS) {
        double gain =
            together(position, first, other) - 2 * chance(own, (int) together, rows.length);
        if (gain > bestGain) {
          bestGain = gain;
          best = List.of(first, other);
        }
      }
    }
    return best;
  }

  /** The counted mutual information of one position and two others together. */
  private double together(int position, int first, int other) {
    int[][] joined = new int[rows.length][2];
    int width = space.cardinality(other);
    for (int n = 0; n < rows.length; n++) {
      joined[n][0] = rows[n][position];
      joined[n][1] = rows[n][first] * width + rows[n][other];
    }
    Space both = Space.of(space.cardinality(position), space.cardinality(first) * width);
    return new ChowLiu.Counts(both, joined, 0).mutualInformation(0, 1);
  }
}
