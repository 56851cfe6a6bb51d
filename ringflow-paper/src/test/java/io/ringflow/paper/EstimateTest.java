package io.ringflow.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class EstimateTest {
  @Test
  void byHand() {
    // The differences are 1, 2 and 6: mean 3, variance (4 + 1 + 9) / 2 = 7.
    double[] logP = {-1, -2, -3};
    double[] logQ = {-2, -4, -9};
    Estimate estimate = Estimate.crossEntropy(10, logP, logQ);
    assertThat(estimate.value()).isEqualTo(13);
    assertThat(estimate.standardError()).isCloseTo(Math.sqrt(7.0 / 3), within(1e-15));
  }

  @Test
  void theModelItselfIsScoredWithoutError() {
    var lattice = PottsLattice.paper(4, 3, 0.5);
    double[] logP = lattice.logProb(lattice.sample(100, new SplittableRandom(1)));
    assertThat(Estimate.crossEntropy(lattice.entropy(), logP, logP))
        .isEqualTo(new Estimate(lattice.entropy(), 0));
  }

  @Test
  void isUnbiasedAndKnowsItsError() {
    // Samples of one lattice scored under another: H(p, q) = log Z_q - beta_q * mean pairs under p.
    var p = PottsLattice.periodic(3, 3, 0.5);
    var q = PottsLattice.periodic(3, 3, 0.4);
    double exact = q.logPartition() - q.beta() * p.meanEqualPairs();
    double sumOfErrors = 0;
    double sumOfSquares = 0;
    int repeats = 200;
    var rng = new SplittableRandom(5);
    for (int repeat = 0; repeat < repeats; repeat++) {
      int[][] rows = p.sample(500, rng);
      Estimate estimate = Estimate.crossEntropy(p.entropy(), p.logProb(rows), q.logProb(rows));
      double error = (estimate.value() - exact) / estimate.standardError();
      sumOfErrors += error;
      sumOfSquares += error * error;
    }
    // In units of the stated standard error: mean 0 and variance 1, each within four of its own.
    assertThat(sumOfErrors / repeats).isCloseTo(0, within(4 / Math.sqrt(repeats)));
    assertThat(sumOfSquares / repeats).isCloseTo(1, within(4 * Math.sqrt(2.0 / repeats)));
  }

  @Test
  void anImpossibleRowCostsInfinity() {
    Estimate estimate =
        Estimate.crossEntropy(
            1, new double[] {-1, -1}, new double[] {-1, Double.NEGATIVE_INFINITY});
    assertThat(estimate.value()).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(estimate.standardError()).isNaN();
  }

  @Test
  void refusesWhatDoesNotMatch() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Estimate.crossEntropy(1, new double[3], new double[4]))
        .withMessageContaining("3 and 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Estimate.crossEntropy(1, new double[1], new double[1]))
        .withMessageContaining("2");
  }
}
