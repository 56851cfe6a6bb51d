package io.ringflow.paper.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.paper.oracle.PottsLattice;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class EstimateTest {
  @Test
  void byHand() {
    // log p scatters by -1, 0, 1 around -2 and log q by 1, -2, 1 around -5: slope 0, so the plain
    // mean, and residuals whose squares sum to 6 with one degree of freedom.
    Estimate flat = Estimate.crossEntropy(10, new double[] {-3, -2, -1}, new double[] {-4, -7, -4});
    assertThat(flat.value()).isEqualTo(5);
    assertThat(flat.standardError()).isCloseTo(Math.sqrt(6.0 / 3), within(1e-15));
    // log q = 2 log p - 1: no residual, and the mean of log p is known to be -10.
    Estimate line = Estimate.crossEntropy(10, new double[] {-3, -2, -1}, new double[] {-7, -5, -3});
    assertThat(line.value()).isEqualTo(21);
    assertThat(line.standardError()).isZero();
  }

  @Test
  void theModelItselfIsScoredWithoutError() {
    var lattice = PottsLattice.paper(4, 3, 0.5);
    double[] logP = lattice.logProb(lattice.sample(100, new SplittableRandom(1)));
    assertThat(Estimate.crossEntropy(lattice.entropy(), logP, logP))
        .satisfies(
            exact -> {
              assertThat(exact.value()).isCloseTo(lattice.entropy(), within(1e-12));
              assertThat(exact.standardError()).isLessThan(1e-12);
            });
  }

  @Test
  void isUnbiasedAndKnowsItsError() {
    // Samples of a periodic lattice scored under an open one, which lacks 6 of its 18 pairs:
    // H(p, q) = log Z_q - beta_q * mean pairs under p, and under p all pairs are alike.
    var p = PottsLattice.periodic(3, 3, 0.5);
    var q = PottsLattice.open(3, 3, 0.4);
    double exact = q.logPartition() - q.beta() * p.meanEqualPairs() * 12 / 18;
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
            1, new double[] {-1, -1, -1}, new double[] {-1, -1, Double.NEGATIVE_INFINITY});
    assertThat(estimate.value()).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(estimate.standardError()).isNaN();
  }

  @Test
  void refusesWhatDoesNotMatch() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Estimate.crossEntropy(1, new double[3], new double[4]))
        .withMessageContaining("3 and 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Estimate.crossEntropy(1, new double[2], new double[2]))
        .withMessageContaining("2");
  }
}
