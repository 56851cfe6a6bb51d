package io.ringflow.paper.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RingOracleTest {
  private final RingOfGaussians ring = RingOfGaussians.paper();
  private final RingOracle oracle = new RingOracle(ring.pmf());

  @Test
  void anyPermutationComesCloseToTheEntropy() {
    assertThat(oracle.anyPermutation()).isCloseTo(6.376, within(5e-4));
  }

  @Test
  void shiftsAloneLieBetween() {
    double shifts = oracle.bestShifts(3, new SplittableRandom(1));
    assertThat(shifts).isCloseTo(6.690, within(5e-3));
    assertThat(shifts).isBetween(oracle.anyPermutation(), ring.factorised());
  }

  @Test
  void aSecondSortingLayerComesCloser() {
    assertThat(oracle.sortedTwice()).isCloseTo(6.334, within(5e-4));
    assertThat(oracle.sortedTwice()).isBetween(ring.entropy(), oracle.anyPermutation());
  }

  @Test
  void sortingTwiceIsAnUpperBoundAndNotAlwaysTheOptimum() {
    int exceeded = 0;
    for (int seed = 0; seed < 20; seed++) {
      double[][] table = randomTable(new SplittableRandom(seed));
      double greedy = new RingOracle(table).sortedTwice();
      double optimum = bestOfTwo(table);
      assertThat(greedy).isGreaterThan(optimum - 1e-12);
      assertThat(greedy).isLessThan(new RingOracle(table).anyPermutation() + 1e-12);
      exceeded += greedy > optimum + 1e-9 ? 1 : 0;
    }
    assertThat(exceeded).isBetween(1, 19);
  }

  /** Every first layer there is; the second is exact. */
  private static double bestOfTwo(double[][] p) {
    int[][] orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    double best = Double.POSITIVE_INFINITY;
    for (int code = 0; code < 216; code++) {
      int[][] chosen = {orders[code % 6], orders[code / 6 % 6], orders[code / 36]};
      double[][] moved = new double[3][3];
      for (int x = 0; x < 3; x++) {
        for (int y = 0; y < 3; y++) {
          moved[chosen[x][y]][x] = p[x][y];
        }
      }
      best = Math.min(best, new RingOracle(moved).anyPermutation());
    }
    return best;
  }

  private static double[][] randomTable(SplittableRandom random) {
    double[][] table = new double[3][3];
    double total = 0;
    for (double[] row : table) {
      for (int y = 0; y < 3; y++) {
        row[y] = random.nextDouble();
        total += row[y];
      }
    }
    for (double[] row : table) {
      for (int y = 0; y < 3; y++) {
        row[y] /= total;
      }
    }
    return table;
  }

  @Test
  void findsTheExactOptimumOfATableThatShiftsSolve() {
    double[][] diagonal = new double[5][5];
    for (int x = 0; x < 5; x++) {
      diagonal[x][(2 * x + 1) % 5] = 0.2;
    }
    var exact = new RingOracle(diagonal);
    assertThat(exact.bestShifts(1, new SplittableRandom(1))).isCloseTo(Math.log(5), within(1e-12));
    assertThat(exact.anyPermutation()).isCloseTo(Math.log(5), within(1e-12));
  }
}
