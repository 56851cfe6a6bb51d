package io.ringflow.paper.oracle;

import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How low bipartite layers over a factorised base can come on a table {@code p[x][y]}, computed
 * without training.
 *
 * <p>One layer leaves {@code x} and moves {@code y} by a map chosen by {@code x}; the base then
 * pays {@code H(x) + H(z)}, where {@code z} is the moved symbol: the mixture over {@code x} of the
 * moved conditionals. A family of maps is as good as it can make these conditionals alike.
 */
public final class RingOracle {
  private final double[][] p;
  private final int k;
  private final double entropyOfX;

  /**
   * Prepares a table.
   *
   * @param pmf {@code p[x][y]}, which sums to 1; every row of the same length
   */
  public RingOracle(double[][] pmf) {
    p = Arrays.stream(pmf).map(double[]::clone).toArray(double[][]::new);
    k = p[0].length;
    entropyOfX =
        Entropy.of(Arrays.stream(p).mapToDouble(row -> Arrays.stream(row).sum()).toArray());
  }

  /**
   * Returns the cross entropy of a layer that may permute {@code y} in any way: it sorts each
   * conditional by probability.
   *
   * <p>This is the exact optimum over all permutations: sorting makes {@code z} majorise every
   * other choice's, and entropy falls under majorisation.
   */
  public double anyPermutation() {
    double[] z = new double[k];
    for (double[] row : p) {
      double[] sorted = row.clone();
      Arrays.sort(sorted);
      for (int rank = 0; rank < k; rank++) {
        z[rank] += sorted[k - 1 - rank];
      }
    }
    return entropyOfX + Entropy.of(z);
  }

  /**
   * Returns the cross entropy of two sorting layers: the first sorts each conditional of {@code y},
   * the second each conditional of {@code x} given where {@code y} has moved to.
   *
   * <p>Each is the best layer for what it finds, and so the second is an exact optimum; but a first
   * layer that alone is worse may leave the second more to gain. This is what layers trained one
   * after the other can reach, and an upper bound on the optimum of two.
   */
  public double sortedTwice() {
    double[][] moved = new double[k][p.length]; // [where y has moved to][x]
    for (int x = 0; x < p.length; x++) {
      double[] sorted = p[x].clone();
      Arrays.sort(sorted);
      for (int rank = 0; rank < k; rank++) {
        moved[rank][x] = sorted[k - 1 - rank];
      }
    }
    return new RingOracle(moved).anyPermutation();
  }

  /**
   * Returns the lowest cross entropy found for a location-only layer, {@code z = y - shift(x) mod
   * K}: one shift per {@code x}.
   *
   * <p>Coordinate descent from several starts; an upper bound on the optimum that has been found to
   * be stable, not a proof. Cost: about {@code starts * 10 * K^3} logarithms.
   *
   * @param starts how many; more can only lower the result
   * @param rng chooses the order in which a start visits the values of {@code x}
   */
  public double bestShifts(int starts, RandomGenerator rng) {
    return entropyOfX + descend(starts, rng).entropy;
  }

  /** The shifts of {@link #bestShifts}, one for each {@code x}. */
  int[] shifts(int starts, RandomGenerator rng) {
    return descend(starts, rng).shifts;
  }

  /** Where a descent ended: a shift for each {@code x}, and {@code H(z)}. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Descent(int[] shifts, double entropy) {}

  private Descent descend(int starts, RandomGenerator rng) {
    Descent best = new Descent(null, Double.POSITIVE_INFINITY);
    for (int start = 0; start < starts; start++) {
      Descent descent = descend(order(rng));
      best = descent.entropy < best.entropy ? descent : best;
    }
    return best;
  }

  private int[] order(RandomGenerator rng) {
    var order = IntStream.range(0, p.length).boxed().collect(Collectors.toList());
    Collections.shuffle(order, new Random(rng.nextLong()));
    return order.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Places one row after the other, then moves single rows until none gains. */
  private Descent descend(int[] order) {
    int[] shift = new int[p.length];
    double[] z = new double[k];
    for (int x : order) {
      shift[x] = bestShift(z, p[x]);
      add(z, p[x], shift[x], 1);
    }
    double entropy = Entropy.of(z);
    double before;
    do {
      before = entropy;
      for (int x : order) {
        add(z, p[x], shift[x], -1);
        shift[x] = bestShift(z, p[x]);
        add(z, p[x], shift[x], 1);
      }
      entropy = Entropy.of(z);
    } while (entropy < before - 1e-9);
    return new Descent(shift, entropy);
  }

  private int bestShift(double[] z, double[] row) {
    double lowest = Double.POSITIVE_INFINITY;
    int best = 0;
    for (int shift = 0; shift < k; shift++) {
      double entropy = 0;
      for (int y = 0; y < k; y++) {
        entropy += Entropy.term(z[Math.floorMod(y - shift, k)] + row[y]);
      }
      if (entropy < lowest) {
        lowest = entropy;
        best = shift;
      }
    }
    return best;
  }

  private void add(double[] z, double[] row, int shift, int sign) {
    for (int y = 0; y < k; y++) {
      z[Math.floorMod(y - shift, k)] += sign * row[y];
    }
  }
}
