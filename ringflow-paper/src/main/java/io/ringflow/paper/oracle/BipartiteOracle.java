package io.ringflow.paper.oracle;

import io.ringflow.core.Mask;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * How low bipartite layers over a factorised base can come on a table, computed without training.
 *
 * <p>A flow relabels the cells; the base then pays the entropy of each symbol of the relabelled
 * table alone.
 */
public final class BipartiteOracle {
  private static final int MAX_PERMUTED_CELLS = 9;

  private final FullRankTable table;
  private final double[] marginalEntropies; // [D]

  /** Prepares a table. */
  public BipartiteOracle(FullRankTable table) {
    this.table = table;
    marginalEntropies = table.marginalEntropies();
  }

  /**
   * Returns the lowest cross entropy of any relabelling of the cells over a factorised base: a
   * bound for every flow over such a base, of whatever layers and however many.
   *
   * <p>On two bits the bound is attained: the paper's four location layers, alternating, reach all
   * 24 relabellings (three would do). Found by trying every one of them.
   *
   * @throws IllegalArgumentException if the table has more than 9 cells
   */
  public double anyRelabelling() {
    if (table.cells() > MAX_PERMUTED_CELLS) {
      throw new IllegalArgumentException(
          "a table of %d cells has too many relabellings to try; at most %d"
              .formatted(table.cells(), MAX_PERMUTED_CELLS));
    }
    double[] p = new double[table.cells()];
    Arrays.setAll(p, table::probability);
    return lowest(p, 0);
  }

  /** Places every remaining probability at {@code cell} in turn, and so on for the next cell. */
  private double lowest(double[] p, int cell) {
    if (cell == p.length) {
      return factorised(p);
    }
    double lowest = Double.POSITIVE_INFINITY;
    for (int other = cell; other < p.length; other++) {
      swap(p, cell, other);
      lowest = Math.min(lowest, lowest(p, cell + 1));
      swap(p, cell, other);
    }
    return lowest;
  }

  private static void swap(double[] p, int a, int b) {
    double kept = p[a];
    p[a] = p[b];
    p[b] = kept;
  }

  private double factorised(double[] p) {
    double sum = 0;
    for (int stride = 1; stride < p.length; stride *= table.k()) {
      double[] marginal = new double[table.k()];
      for (int cell = 0; cell < p.length; cell++) {
        marginal[cell / stride % table.k()] += p[cell];
      }
      sum += Entropy.of(marginal);
    }
    return sum;
  }

  /**
   * Returns the cross entropy of the best single layer that may permute each moved symbol in any
   * way, seeing all kept ones: it sorts each conditional by probability.
   *
   * <p>The exact optimum over such layers, and so a bound for one layer that shifts (or shifts and
   * scales): each moved symbol's entropy is a sum of its own, and sorting minimises it (see {@link
   * RingOracle#anyPermutation}).
   *
   * @param mask which positions are kept
   */
  public double bestSingleLayer(Mask mask) {
    checkMask(mask);
    double sum = 0;
    for (int t = 0; t < table.d(); t++) {
      if (mask.keeps(t)) {
        sum += marginalEntropies[t];
      } else {
        double[] ranks = new double[table.k()];
        for (double[] conditional : jointWithKept(mask, t)) {
          Arrays.sort(conditional);
          for (int rank = 0; rank < ranks.length; rank++) {
            ranks[rank] += conditional[rank];
          }
        }
        sum += Entropy.of(ranks);
      }
    }
    return sum;
  }

  /**
   * Returns the lowest cross entropy found for one layer that shifts each moved symbol by an amount
   * that depends on all kept ones, as the paper's layers do.
   *
   * <p>By the coordinate descent of {@link RingOracle#bestShifts}: an upper bound on the optimum.
   *
   * @param mask which positions are kept
   * @param starts of the descent; more can only lower the result
   * @param rng chooses the order in which a start visits the contexts
   */
  public double bestSingleShift(Mask mask, int starts, RandomGenerator rng) {
    checkMask(mask);
    double sum = 0;
    for (int t = 0; t < table.d(); t++) {
      if (mask.keeps(t)) {
        sum += marginalEntropies[t];
      } else {
        double[][] joint = jointWithKept(mask, t);
        double[] contexts =
            Arrays.stream(joint).mapToDouble(row -> Arrays.stream(row).sum()).toArray();
        // The ring's oracle pays for the context as one symbol; here it is paid position by
        // position above.
        sum += new RingOracle(joint).bestShifts(starts, rng) - Entropy.of(contexts);
      }
    }
    return sum;
  }

  /** Returns the joint probability of all kept symbols together and of the symbol at {@code t}. */
  private double[][] jointWithKept(Mask mask, int t) {
    int contexts = 1;
    for (int i = 0; i < mask.kept().size(); i++) {
      contexts *= table.k();
    }
    double[][] joint = new double[contexts][table.k()];
    for (int cell = 0; cell < table.cells(); cell++) {
      int context = 0;
      int symbol = 0;
      int contextStride = 1;
      for (int position = table.d() - 1, rest = cell; position >= 0; position--) {
        if (mask.keeps(position)) {
          context += rest % table.k() * contextStride;
          contextStride *= table.k();
        } else if (position == t) {
          symbol = rest % table.k();
        }
        rest /= table.k();
      }
      joint[context][symbol] += table.probability(cell);
    }
    return joint;
  }

  private void checkMask(Mask mask) {
    if (mask.size() != table.d()) {
      throw new IllegalArgumentException(
          "mask must have %d positions, but has %d".formatted(table.d(), mask.size()));
    }
  }
}
