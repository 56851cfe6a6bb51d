package io.ringflow.table;

import io.ringflow.core.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * A {@link ChowLiu} tree of rows with missing symbols, which proposes symbols in their places.
 *
 * <p>Counted are pairs of which neither is missing. Columns of many symbols are left out of the
 * tree, because a table of two of them would be too large: they are independent of all others.
 */
final class ProposalTree {
  private static final int NONE = -1;
  private static final int MAX_SYMBOLS = 256;
  private static final int MAX_ROWS = 100_000;

  /** Rows spread evenly that are added to counts, so that everything is possible. */
  private static final double SMOOTHING = 1;

  private final int[] parent;
  private final int[][] children;
  private final double[][][] conditional; // [D, K_parent, K]
  private final int[] parentsFirst;

  /**
   * Counts rows.
   *
   * @param observed -1 where a symbol is missing
   */
  ProposalTree(Space space, int[][] observed) {
    var counts =
        new ChowLiu.Counts(
            space, Arrays.copyOf(observed, Math.min(observed.length, MAX_ROWS)), SMOOTHING);
    int[] small =
        IntStream.range(0, space.size()).filter(d -> space.cardinality(d) <= MAX_SYMBOLS).toArray();
    parent = new int[space.size()];
    Arrays.fill(parent, NONE);
    if (small.length > 0) {
      int[] tree =
          ChowLiu.maximumSpanningTree(
              small.length, (i, j) -> counts.mutualInformation(small[i], small[j]));
      for (int i = 0; i < small.length; i++) {
        parent[small[i]] = tree[i] == NONE ? NONE : small[tree[i]];
      }
    }
    conditional = new double[parent.length][][];
    children = new int[parent.length][];
    for (int i = 0; i < parent.length; i++) {
      int own = i;
      children[i] = IntStream.range(0, parent.length).filter(d -> parent[d] == own).toArray();
      conditional[i] =
          parent[i] == NONE ? new double[][] {counts.single(i)} : counts.pair(parent[i], i);
      for (double[] symbols : conditional[i]) {
        double sum = Arrays.stream(symbols).sum();
        Arrays.setAll(symbols, k -> symbols[k] / sum);
      }
    }
    parentsFirst = parentsFirst();
  }

  private int[] parentsFirst() {
    List<Integer> order = new ArrayList<>();
    IntStream.range(0, parent.length).filter(d -> parent[d] == NONE).forEach(order::add);
    for (int at = 0; at < order.size(); at++) { // the list grows on the way
      Arrays.stream(children[order.get(at)]).forEach(order::add);
    }
    return order.stream().mapToInt(d -> d).toArray();
  }

  /** The log-probability of a row under the tree. */
  double logProb(int[] row) {
    double product = 1;
    double sum = 0;
    for (int i = 0; i < row.length; i++) {
      product *= conditional[i][parent[i] == NONE ? 0 : row[parent[i]]][row[i]];
      if (product < 1e-200) {
        sum += Math.log(product);
        product = 1;
      }
    }
    return sum + Math.log(product);
  }

  /**
   * Samples some symbols of a row given all others, in place.
   *
   * @return the log-probability of the symbols given the others
   */
  double sample(int[] row, List<Integer> places, RandomGenerator random) {
    boolean[] open = new boolean[row.length];
    places.forEach(d -> open[d] = true);
    double[][] worth = new double[row.length][];
    for (int at = parentsFirst.length - 1; at >= 0; at--) {
      int i = parentsFirst[at];
      if (open[i]) {
        worth[i] = worth(i, row, open, worth);
      }
    }
    double nats = 0;
    for (int i : parentsFirst) {
      if (open[i]) {
        double[] own = conditional[i][parent[i] == NONE ? 0 : row[parent[i]]];
        double total = 0;
        for (int k = 0; k < own.length; k++) {
          worth[i][k] *= own[k];
          total += worth[i][k];
        }
        row[i] = pick(worth[i], total, random.nextDouble());
        nats += Math.log(worth[i][row[i]] / total);
      }
    }
    return nats;
  }

  /** What each symbol of a place makes of its children: their probability, open ones summed out. */
  private double[] worth(int i, int[] row, boolean[] open, double[][] worth) {
    double[] own = new double[conditional[i][0].length];
    Arrays.fill(own, 1);
    for (int child : children[i]) {
      double largest = 0;
      for (int k = 0; k < own.length; k++) {
        double[] given = conditional[child][k];
        if (open[child]) {
          double sum = 0;
          for (int j = 0; j < given.length; j++) {
            sum += given[j] * worth[child][j];
          }
          own[k] *= sum;
        } else {
          own[k] *= given[row[child]];
        }
        largest = Math.max(largest, own[k]);
      }
      for (int k = 0; k < own.length; k++) {
        own[k] /= largest; // many children would make all of them vanish
      }
    }
    return own;
  }

  private static int pick(double[] weights, double total, double uniform) {
    double left = uniform * total;
    int last = 0;
    for (int k = 0; k < weights.length; k++) {
      if (weights[k] > 0) {
        last = k;
        left -= weights[k];
        if (left < 0) {
          return k;
        }
      }
    }
    return last;
  }
}
