package io.ringflow.paper.oracle;

import static io.ringflow.paper.oracle.PottsLatticeTest.counts;
import static io.ringflow.paper.oracle.PottsLatticeTest.probabilities;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.testing.ChiSquare;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PottsMetropolisTest {
  private static final int CHAINS = 100_000;

  @Test
  void oneStepByHand() {
    // From uniform on the four-cycle. A proposal is another symbol half of the time. Into
    // (0, 0, 0, 0) come the four rows with one other symbol, always; out of it goes e^(-2 beta).
    double beta = 0.7;
    double[] p = PottsLattice.open(2, 2, beta).metropolisDistribution(1);
    assertThat(p[0]).isCloseTo((1 + 0.5 * (1 - Math.exp(-2 * beta))) / 16, within(1e-15));
    // The chessboard (0, 1, 1, 0) loses to each of its four neighbours what e^(-2 beta) leaves.
    assertThat(p[6]).isCloseTo((1 + 0.5 * (Math.exp(-2 * beta) - 1)) / 16, within(1e-15));
  }

  @ParameterizedTest
  @CsvSource({"2, 3, true", "3, 2, true", "3, 2, false", "2, 4, false"})
  void agreesWithTheWholeTransitionMatrix(int side, int states, boolean periodic) {
    var lattice =
        periodic ? PottsLattice.periodic(side, states, 0.9) : PottsLattice.open(side, states, 0.9);
    int[][] rows = lattice.space().enumerate();
    double[][] kernel = new double[rows.length][rows.length];
    for (int from = 0; from < rows.length; from++) {
      for (int site = 0; site < lattice.sites(); site++) {
        for (int proposed = 0; proposed < states; proposed++) {
          int[] to = rows[from].clone();
          to[site] = proposed;
          int change = lattice.equalPairs(to) - lattice.equalPairs(rows[from]);
          double accept = Math.min(1, Math.exp(0.9 * change)) / (lattice.sites() * states);
          kernel[from][cell(to, states)] += accept;
          kernel[from][from] += 1.0 / (lattice.sites() * states) - accept;
        }
      }
    }
    double[] p = new double[rows.length];
    Arrays.fill(p, 1.0 / rows.length);
    for (int steps = 0; steps <= 5; steps++) {
      assertThat(lattice.metropolisDistribution(steps)).containsExactly(p, within(1e-14));
      double[] next = new double[p.length];
      for (int from = 0; from < p.length; from++) {
        for (int to = 0; to < p.length; to++) {
          next[to] += p[from] * kernel[from][to];
        }
      }
      p = next;
    }
  }

  private static int cell(int[] row, int states) {
    return Arrays.stream(row).reduce(0, (cell, symbol) -> cell * states + symbol);
  }

  @ParameterizedTest
  @CsvSource({"3, 3, 0.4, 1000", "3, 2, -0.6, 1000", "2, 5, 1, 1000"})
  void theChainEndsInTheExactDistribution(int side, int states, double beta, int steps) {
    var lattice = PottsLattice.open(side, states, beta);
    double[] exact = probabilities(lattice);
    double[] reached = lattice.metropolisDistribution(steps);
    double worst = 0;
    for (int cell = 0; cell < exact.length; cell++) {
      worst = Math.max(worst, Math.abs(reached[cell] / exact[cell] - 1));
    }
    assertThat(worst).isLessThan(1e-9);
  }

  @Test
  void longChainsFollowTheExactDistribution() {
    var lattice = PottsLattice.open(2, 3, 0.8);
    int[] counts = counts(lattice, lattice.metropolis(CHAINS, 100, new SplittableRandom(4)));
    assertThat(ChiSquare.of(counts, probabilities(lattice)).pValue())
        .isGreaterThan(ChiSquare.ACCEPTED);
    var wrong = PottsLattice.open(2, 3, 0.85);
    assertThat(ChiSquare.of(counts, probabilities(wrong)).pValue()).isLessThan(ChiSquare.REJECTED);
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "5", "20"})
  void shortChainsFollowTheirOwn(int steps) {
    var lattice = PottsLattice.periodic(3, 2, 0.6);
    int[] counts = counts(lattice, lattice.metropolis(CHAINS, steps, new SplittableRandom(5)));
    assertThat(ChiSquare.of(counts, lattice.metropolisDistribution(steps)).pValue())
        .isGreaterThan(ChiSquare.ACCEPTED);
    assertThat(ChiSquare.of(counts, lattice.metropolisDistribution(steps + 2 + steps / 4)).pValue())
        .isLessThan(ChiSquare.REJECTED);
  }

  @ParameterizedTest
  @CsvSource({"3, 0.1", "3, 0.5", "4, 0.5", "5, 0.5"})
  void thePapersFiveHundredStepsNearlyMix(int states, double coupling) {
    var lattice = PottsLattice.paper(3, states, coupling);
    double[] p = lattice.metropolisDistribution(500);
    assertThat(p).hasSize((int) Math.pow(states, 9));
    assertThat(Arrays.stream(p).sum()).isCloseTo(1, within(1e-10));
    // Mixed to the last digit at J = 0.1, where rounding may fall to either side.
    assertThat(Entropy.of(p) - lattice.entropy()).isBetween(-1e-9, 0.06);
    assertThat(lattice.metropolisDistribution(50))
        .satisfies(early -> assertThat(Entropy.of(early)).isGreaterThan(Entropy.of(p)));
  }

  @Test
  void refusesWhatIsTooLarge() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PottsLattice.paper(4, 3, 0.5).metropolisDistribution(1))
        .withMessageContaining("43046721")
        .withMessageContaining("2000000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PottsLattice.paper(3, 3, 0.5).metropolisDistribution(-1))
        .withMessageContaining("-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PottsLattice.paper(3, 3, 0.5).metropolis(1, -1, new SplittableRandom(1)))
        .withMessageContaining("-1");
  }
}
