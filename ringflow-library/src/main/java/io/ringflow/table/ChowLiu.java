package io.ringflow.table;

import io.ringflow.core.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The Chow-Liu tree (1968), a baseline for models of tables: the most likely distribution of rows
 * in which every position but the first depends on one other, {@code p(x) = p(x_0) prod p(x_i |
 * x_parent(i))}.
 *
 * <p>It needs no training: the best of all trees is the maximum spanning tree of the positions'
 * mutual informations, with the counted conditionals.
 *
 * <p>Counts are smoothed as if rows spread evenly over the whole space had been seen too: {@code
 * smoothing} rows in all, so {@code smoothing / (K_i K_j)} for each pair of symbols of two
 * positions. So pairs and single positions agree with each other, whatever the cardinalities, and
 * the tree is the exact optimum for the smoothed data. Laplace's one count for each pair of bits is
 * {@code smoothing = 4}.
 *
 * <p>Cost: {@code D^2 N / 2} steps for N rows. Immutable and safe for use by many threads.
 */
public final class ChowLiu {
  private static final int NONE = -1;

  private final Space space;
  private final int[] parent; // [D], NONE at position 0

  /** {@code log p(x_i | x_parent(i))}; the root has one row. */
  private final double[][][] logConditional; // [D, K_parent, K_i]

  private ChowLiu(Space space, int[] parent, double[][][] logConditional) {
    this.space = space;
    this.parent = parent;
    this.logConditional = logConditional;
  }

  /**
   * Counts rows and builds the tree.
   *
   * @param space of the rows
   * @param rows at least one
   * @param smoothing how many rows spread evenly over the space are added; above 0
   */
  public static ChowLiu fit(Space space, int[][] rows, double smoothing) {
    if (space.size() < 1) {
      throw new IllegalArgumentException("space must have at least 1 position, but has 0");
    }
    if (rows.length < 1) {
      throw new IllegalArgumentException("at least 1 row is needed, but there are 0");
    }
    if (!(smoothing > 0 && smoothing < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "smoothing must be above 0 and finite, but is " + smoothing);
    }
    space.check("row", rows);
    var counts = new Counts(space, rows, smoothing);
    int[] parent = maximumSpanningTree(space.size(), counts::mutualInformation);
    double[][][] logConditional = new double[space.size()][][];
    for (int i = 0; i < parent.length; i++) {
      logConditional[i] =
          parent[i] == NONE
              ? new double[][] {logNormalised(counts.single(i))}
              : Arrays.stream(counts.pair(parent[i], i))
                  .map(ChowLiu::logNormalised)
                  .toArray(double[][]::new);
    }
    return new ChowLiu(space, parent, logConditional);
  }

  /** The weight of the edge between two positions. */
  @FunctionalInterface
  interface Weight {
    double of(int i, int j);
  }

  /** Prim's algorithm from position 0, which asks for each weight once and keeps none. */
  static int[] maximumSpanningTree(int d, Weight weight) {
    int[] parent = new int[d]; // of a position outside: its best neighbour in the tree
    double[] best = new double[d];
    boolean[] inTree = new boolean[d];
    Arrays.fill(best, Double.NEGATIVE_INFINITY);
    parent[0] = NONE;
    for (int joined = 0, size = 1; size < d; size++) {
      inTree[joined] = true;
      int next = NONE;
      for (int i = 0; i < d; i++) {
        if (!inTree[i]) {
          double edge = weight.of(joined, i);
          if (edge > best[i]) {
            best[i] = edge;
            parent[i] = joined;
          }
          if (next == NONE || best[i] > best[next]) {
            next = i;
          }
        }
      }
      joined = next;
    }
    return parent;
  }

  private static double[] logNormalised(double[] counts) {
    double sum = Arrays.stream(counts).sum();
    return Arrays.stream(counts).map(count -> Math.log(count / sum)).toArray();
  }

  /** The parent of each position; -1 for position 0, the root. */
  public int[] parents() {
    return parent.clone();
  }

  /** The log-probability of each row, in nats. */
  public double[] logProb(int[][] rows) {
    space.check("row", rows);
    return Arrays.stream(rows).mapToDouble(this::logProb).toArray();
  }

  private double logProb(int[] row) {
    double sum = 0;
    for (int i = 0; i < row.length; i++) {
      int parentSymbol = parent[i] == NONE ? 0 : row[parent[i]];
      sum += logConditional[i][parentSymbol][row[i]];
    }
    return sum;
  }

  /**
   * The probability of what some columns' weights leave, exactly: the sum over all rows of their
   * probabilities times the weights of their symbols, by messages from leaves to the root.
   *
   * @param weights from 0 to 1 of each symbol, by position; 1 where there are none
   */
  public double probability(Map<Integer, double[]> weights) {
    double[][] worth = worth(weights);
    double result = 0;
    for (int i : leavesFirst()) {
      for (int a = 0; a < logConditional[i].length; a++) {
        double sum = 0;
        for (int k = 0; k < worth[i].length; k++) {
          sum += worth[i][k] * Math.exp(logConditional[i][a][k]);
        }
        if (parent[i] == NONE) {
          result = sum;
        } else {
          worth[parent[i]][a] *= sum;
        }
      }
    }
    return result;
  }

  /**
   * The likeliest row, each row's probability times the weights of its symbols: by messages of the
   * best from leaves to the root, and back.
   *
   * @param weights from 0 to 1 of each symbol, by position; 1 where there are none
   */
  public int[] likeliest(Map<Integer, double[]> weights) {
    double[][] worth = worth(weights);
    int[][] best = new int[parent.length][]; // by the parent's symbol
    List<Integer> order = leavesFirst();
    for (int i : order) {
      best[i] = new int[logConditional[i].length];
      for (int a = 0; a < best[i].length; a++) {
        double most = -1;
        for (int k = 0; k < worth[i].length; k++) {
          double value = worth[i][k] * Math.exp(logConditional[i][a][k]);
          if (value > most) {
            most = value;
            best[i][a] = k;
          }
        }
        if (parent[i] != NONE) {
          worth[parent[i]][a] *= most;
        }
      }
    }
    int[] row = new int[parent.length];
    for (int at = order.size() - 1; at >= 0; at--) {
      int i = order.get(at);
      row[i] = best[i][parent[i] == NONE ? 0 : row[parent[i]]];
    }
    return row;
  }

  private double[][] worth(Map<Integer, double[]> weights) {
    double[][] worth = new double[parent.length][];
    for (int i = 0; i < worth.length; i++) {
      double[] own = weights.get(i);
      worth[i] = own == null ? new double[space.cardinality(i)] : own.clone();
      if (own == null) {
        Arrays.fill(worth[i], 1);
      }
    }
    return worth;
  }

  /** The positions, each before its parent. */
  private List<Integer> leavesFirst() {
    int[] children = new int[parent.length]; // that have not yet come
    for (int above : parent) {
      if (above != NONE) {
        children[above]++;
      }
    }
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < children.length; i++) {
      if (children[i] == 0) {
        order.add(i);
      }
    }
    for (int at = 0; at < order.size(); at++) { // the list grows on the way
      int above = parent[order.get(at)];
      if (above != NONE && --children[above] == 0) {
        order.add(above);
      }
    }
    return order;
  }

  /** Smoothed counts of symbols and of pairs of symbols; those that are missing, -1, left out. */
  static final class Counts {
    private final Space space;
    private final double smoothing;

    private final int[][] columns; // [D, N]

    Counts(Space space, int[][] rows, double smoothing) {
      this.space = space;
      this.smoothing = smoothing;
      columns = new int[space.size()][rows.length];
      for (int n = 0; n < rows.length; n++) {
        for (int i = 0; i < columns.length; i++) {
          columns[i][n] = rows[n][i];
        }
      }
    }

    double[] single(int i) {
      double[] counts = new double[space.cardinality(i)];
      Arrays.fill(counts, smoothing / counts.length);
      for (int a : columns[i]) {
        if (a >= 0) {
          counts[a]++;
        }
      }
      return counts;
    }

    double[][] pair(int i, int j) {
      double[][] counts = new double[space.cardinality(i)][space.cardinality(j)];
      for (double[] row : counts) {
        Arrays.fill(row, smoothing / space.cardinality(i) / space.cardinality(j));
      }
      for (int n = 0; n < columns[i].length; n++) {
        if (columns[i][n] >= 0 && columns[j][n] >= 0) {
          counts[columns[i][n]][columns[j][n]]++;
        }
      }
      return counts;
    }

    /** In how many rows neither of two positions is missing, those of smoothing included. */
    private double total(int i, int j) {
      int there = 0;
      for (int n = 0; n < columns[i].length; n++) {
        there += columns[i][n] >= 0 && columns[j][n] >= 0 ? 1 : 0;
      }
      return there + smoothing;
    }

    /** The mutual information of two positions, {@code H(i) + H(j) - H(i, j)}, in nats. */
    double mutualInformation(int i, int j) {
      double[][] both = pair(i, j);
      double total = total(i, j);
      double[] first = new double[both.length];
      double[] second = new double[both[0].length];
      double sum = 0;
      for (int a = 0; a < first.length; a++) {
        for (int b = 0; b < second.length; b++) {
          double p = total == 0 ? 0 : both[a][b] / total;
          first[a] += p;
          second[b] += p;
          sum -= entropyTerm(p);
        }
      }
      return sum + entropy(first) + entropy(second);
    }

    private static double entropy(double[] probabilities) {
      return Arrays.stream(probabilities).map(Counts::entropyTerm).sum();
    }

    private static double entropyTerm(double p) {
      return p == 0 ? 0 : -p * Math.log(p);
    }
  }
}
