package io.ringflow.paper.oracle;

import io.ringflow.core.Order;

/**
 * What a symbol of a text costs when some others are known, counted: the entropy of a symbol given
 * the nearest known one on either side, by how far away they are.
 *
 * <p>Two neighbours say less than all that is known. But they say how the cost falls as more is
 * known, which is what {@link io.ringflow.core.Groups} needs to cut an order into groups.
 */
public final class NeighbourEntropy {
  /** A neighbour further away says as good as nothing. */
  private static final int FARTHEST = 8;

  private final double[][] nats = new double[FARTHEST + 1][FARTHEST + 1];

  /**
   * Counts.
   *
   * @param rows of a text, some hundred thousand symbols at least
   * @param symbols of its alphabet
   */
  public NeighbourEntropy(int[][] rows, int symbols) {
    for (int left = 0; left <= FARTHEST; left++) {
      for (int right = 0; right <= FARTHEST; right++) {
        nats[left][right] = conditional(rows, symbols, left, right);
      }
    }
  }

  /** H(x | symbol {@code left} before, symbol {@code right} after); 0 is for none there. */
  private static double conditional(int[][] rows, int symbols, int left, int right) {
    long[][] counts = new long[symbols * symbols][symbols];
    long total = 0;
    for (int[] row : rows) {
      for (int i = left; i + right < row.length; i++) {
        int before = left == 0 ? 0 : row[i - left];
        int after = right == 0 ? 0 : row[i + right];
        counts[before * symbols + after][row[i]]++;
        total++;
      }
    }
    double entropy = 0;
    for (long[] row : counts) {
      long sum = 0;
      for (long count : row) {
        sum += count;
        entropy += Entropy.term((double) count / total);
      }
      entropy -= Entropy.term((double) sum / total);
    }
    return entropy;
  }

  /**
   * The mean cost of a symbol that is not known yet, once the first {@code n} of an order are, in
   * nats, for n from 0 to D - 1.
   */
  public double[] whenKnown(Order order) {
    int size = order.size();
    boolean[] known = new boolean[size];
    double[] losses = new double[size];
    for (int n = 0; n < size; n++) {
      double sum = 0;
      for (int position = 0; position < size; position++) {
        if (!known[position]) {
          sum += nats[distance(known, position, -1)][distance(known, position, 1)];
        }
      }
      losses[n] = sum / (size - n);
      known[order.positions().get(n)] = true;
    }
    return losses;
  }

  /** How far the nearest known position is in a direction; 0 where there is none near. */
  private static int distance(boolean[] known, int position, int direction) {
    for (int steps = 1; steps <= FARTHEST; steps++) {
      int at = position + direction * steps;
      if (at >= 0 && at < known.length && known[at]) {
        return steps;
      }
    }
    return 0;
  }
}
