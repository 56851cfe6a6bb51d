package io.ringflow.paper;

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
