package io.ringflow.paper.oracle;

import io.ringflow.core.Mask;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * How low layers over a factorised base can come on a table, computed without training.
 *
 * <p>A flow relabels the cells; the base then pays the entropy of each symbol of the relabelled
 * table alone. The optimum of one layer is computed; of several, values that are attained, between
 * which and the table's entropy the optimum lies.
 */
public final class BipartiteOracle {
  private static final int MAX_PERMUTED_CELLS = 9;

  private final FullRankTable table;

  /** Prepares a table. */
  public BipartiteOracle(FullRankTable table) {
    this.table = table;
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
    return lowest(probabilities(), 0);
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
    return sorted(List.of(mask));
  }

  /**
   * Returns the cross entropy of layers that sort: each permutes each symbol it moves by its
   * probability given all kept ones, as the layers before it have left the table.
   *
   * <p>Each is the best layer for what it finds. A layer that alone is worse may leave the next
   * more to gain: for more than one layer this is attained, and an upper bound on the optimum.
   *
   * @param masks which positions each layer keeps, the layer next to the data first
   */
  public double sorted(List<Mask> masks) {
    return relabelled(masks, BipartiteOracle::ranks);
  }

  /**
   * Returns the cross entropy of layers that shift the likeliest symbol to 0, given all kept ones:
   * attained, and what layer-wise cross-entropy makes of shifting layers.
   *
   * @param masks as for {@link #sorted}
   */
  public double modeShifted(List<Mask> masks) {
    return relabelled(
        masks,
        (joint, symbols) -> {
          int[] ranks = ranks(joint, symbols);
          int[] targets = new int[joint.length];
          for (int i = 0; i < joint.length; i++) {
            if (ranks[i] == 0) {
              int from = i / symbols * symbols;
              for (int k = 0; k < symbols; k++) {
                targets[from + k] = Math.floorMod(k - i % symbols, symbols);
              }
            }
          }
          return targets;
        });
  }

  /**
   * Returns the cross entropy of layers that shift: each takes each symbol it moves by an amount
   * that depends on all kept ones, chosen by the coordinate descent of {@link
   * RingOracle#bestShifts} for what the layers before it have left: attained, and an upper bound on
   * the optimum.
   *
   * @param masks as for {@link #sorted}
   * @param starts of each descent
   * @param rng as for {@link #bestSingleShift}
   */
  public double shifted(List<Mask> masks, int starts, RandomGenerator rng) {
    return relabelled(
        masks,
        (joint, symbols) -> {
          int[] shifts = new RingOracle(rows(joint, symbols)).shifts(starts, rng);
          int[] targets = new int[joint.length];
          Arrays.setAll(targets, i -> Math.floorMod(i % symbols - shifts[i / symbols], symbols));
          return targets;
        });
  }

  /**
   * Returns the cross entropy of the best autoregressive layer, positions in their natural order,
   * that may permute each symbol in any way: it sorts each conditional. The exact optimum, for each
   * symbol's entropy depends on its own permutations alone.
   */
  public double bestAutoregressiveLayer() {
    double sum = 0;
    double[] upToT = probabilities(); // p(x_<=t), [K^(t+1)]
    for (int t = table.d() - 1; t >= 0; t--) {
      double[] beforeT = new double[upToT.length / table.k()];
      double[] byRank = new double[table.k()];
      double[] conditional = new double[table.k()];
      for (int prefix = 0; prefix < beforeT.length; prefix++) {
        System.arraycopy(upToT, prefix * table.k(), conditional, 0, table.k());
        Arrays.sort(conditional);
        for (int rank = 0; rank < byRank.length; rank++) {
          byRank[rank] += conditional[rank];
          beforeT[prefix] += conditional[rank];
        }
      }
      sum += Entropy.of(byRank);
      upToT = beforeT;
    }
    return sum;
  }

  /** Chooses where a moved symbol goes: for each context and symbol, {@code [contexts, K]}. */
  private interface Relabelling {
    int[] targets(double[] joint, int symbols);
  }

  private double relabelled(List<Mask> masks, Relabelling relabelling) {
    double[] p = probabilities();
    for (Mask mask : masks) {
      checkMask(mask);
      p = relabelled(p, mask, relabelling);
    }
    return factorised(p);
  }

  private double[] relabelled(double[] p, Mask mask, Relabelling relabelling) {
    DigitSum contexts = contexts(mask);
    int[] to = new int[p.length];
    Arrays.setAll(to, cell -> cell);
    for (int t : mask.moved()) {
      int stride = stride(t);
      int[] targets = relabelling.targets(joint(p, contexts, mask, t), table.k());
      for (int cell = 0; cell < p.length; cell++) {
        int symbol = cell / stride % table.k();
        to[cell] += (targets[contexts.of(cell) * table.k() + symbol] - symbol) * stride;
      }
    }
    double[] moved = new double[p.length];
    for (int cell = 0; cell < p.length; cell++) {
      moved[to[cell]] = p[cell];
    }
    return moved;
  }

  /** The rank of each symbol by its probability, of equal ones the lower symbol first. */
  private static int[] ranks(double[] joint, int symbols) {
    int[] ranks = new int[joint.length];
    for (int i = 0; i < joint.length; i++) {
      int from = i / symbols * symbols;
      for (int other = from; other < from + symbols; other++) {
        boolean ahead = joint[other] > joint[i] || (joint[other] == joint[i] && other < i);
        ranks[i] += ahead ? 1 : 0;
      }
    }
    return ranks;
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
    return shifted(List.of(mask), starts, rng);
  }

  private double[] probabilities() {
    double[] p = new double[table.cells()];
    Arrays.setAll(p, table::probability);
    return p;
  }

  /** The joint probability of all kept symbols together and of that at t, {@code [contexts, K]}. */
  private double[] joint(double[] p, DigitSum contexts, Mask mask, int t) {
    int stride = stride(t);
    double[] joint = new double[power(mask.kept().size()) * table.k()];
    for (int cell = 0; cell < p.length; cell++) {
      joint[contexts.of(cell) * table.k() + cell / stride % table.k()] += p[cell];
    }
    return joint;
  }

  private static double[][] rows(double[] flat, int width) {
    double[][] rows = new double[flat.length / width][];
    Arrays.setAll(rows, i -> Arrays.copyOfRange(flat, i * width, (i + 1) * width));
    return rows;
  }

  /** The kept symbols of a cell as one number. */
  private DigitSum contexts(Mask mask) {
    int[] weights = new int[table.d()];
    for (int i = 0; i < mask.kept().size(); i++) {
      weights[mask.kept().get(i)] = power(mask.kept().size() - 1 - i);
    }
    return new DigitSum(table.k(), weights);
  }

  private int stride(int t) {
    return power(table.d() - 1 - t);
  }

  private int power(int exponent) {
    int power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= table.k();
    }
    return power;
  }

  private void checkMask(Mask mask) {
    if (mask.size() != table.d()) {
      throw new IllegalArgumentException(
          "mask must have %d positions, but has %d".formatted(table.d(), mask.size()));
    }
  }
}
