package io.ringflow.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class ChiSquareTest {
  /** What the standard normal distribution has below -2. */
  private static final double BELOW_MINUS_TWO = 0.02275013194817921;

  @Test
  void agreesWithTheTextbook() {
    // 10 against 20 expected, 30 against 20: 100 / 20 + 100 / 20.
    var die = ChiSquare.of(new int[] {10, 30}, new double[] {0.5, 0.5});
    assertThat(die).isEqualTo(new ChiSquare(10, 1));
    // Critical values of the printed tables.
    assertThat(new ChiSquare(10.828, 1).pValue()).isCloseTo(0.001, within(1e-6));
    assertThat(new ChiSquare(18.307, 10).pValue()).isCloseTo(0.05, within(1e-5));
    assertThat(new ChiSquare(149.449, 100).pValue()).isCloseTo(0.001, within(1e-6));
  }

  @Test
  void evenAndOddDegreesHaveClosedForms() {
    assertThat(new ChiSquare(7, 2).pValue()).isCloseTo(Math.exp(-3.5), within(1e-15));
    assertThat(new ChiSquare(7, 4).pValue()).isCloseTo(4.5 * Math.exp(-3.5), within(1e-15));
    assertThat(new ChiSquare(4, 1).pValue()).isCloseTo(2 * BELOW_MINUS_TWO, within(1e-15));
    // Far from zero the distribution is nearly normal with mean m and variance 2 m.
    double twoSigma = 20_000 + 2 * Math.sqrt(40_000);
    assertThat(new ChiSquare(twoSigma, 20_000).pValue()).isCloseTo(BELOW_MINUS_TWO, within(1e-3));
    assertThat(new ChiSquare(0, 3).pValue()).isEqualTo(1);
  }

  @Test
  void poolsRareCellsAndRefusesImpossibleOnes() {
    var pooled = ChiSquare.of(new int[] {96, 1, 3}, new double[] {0.94, 0.03, 0.03});
    assertThat(pooled.degreesOfFreedom()).isEqualTo(1);
    assertThat(pooled.statistic()).isCloseTo(4.0 / 94 + 4.0 / 6, within(1e-12));
    assertThat(ChiSquare.of(new int[] {99, 1}, new double[] {1, 0}).pValue()).isZero();
  }

  @Test
  void rowsAreCountedByWhatTheyAre() {
    int[][] possible = {{0, 0}, {0, 1}, {1, 0}};
    int[][] sampled = new int[30][];
    Arrays.setAll(sampled, i -> possible[i % 10 < 5 ? 0 : i % 10 < 8 ? 1 : 2]);
    double[] p = {0.5, 0.25, 0.25};
    assertThat(ChiSquare.of(sampled, possible, p)).isEqualTo(ChiSquare.of(new int[] {15, 9, 6}, p));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChiSquare.of(new int[][] {{1, 1}}, possible, p))
        .withMessage("[1, 1] is not among possible rows");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChiSquare.of(new int[][] {{0, 0}}, possible, p))
        .withMessage("too few cells: sample more rows");
  }
}
