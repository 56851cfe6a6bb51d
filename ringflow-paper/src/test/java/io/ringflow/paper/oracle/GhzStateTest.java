package io.ringflow.paper.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The formula against vectors and operators written out. */
final class GhzStateTest {
  private static final double HALF = Math.sqrt(0.5);

  /** Projectors on |0>, |1> and |+>, a third of each; and what is left of the identity. */
  private static final double[][][] OPERATORS = operators();

  private static double[][][] operators() {
    double[][] kets = {{1, 0}, {0, 1}, {HALF, HALF}};
    double[][][] operators = new double[4][2][2];
    operators[3] = new double[][] {{1, 0}, {0, 1}};
    for (int k = 0; k < 3; k++) {
      for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
          operators[k][i][j] = kets[k][i] * kets[k][j] / 3;
          operators[3][i][j] -= operators[k][i][j];
        }
      }
    }
    return operators;
  }

  /** {@code <psi| M_0 x M_1 x … |psi>}, element by element. */
  private static double expectation(int[] row) {
    int states = 1 << row.length;
    double[] psi = new double[states];
    psi[0] = HALF;
    psi[states - 1] = HALF;
    double sum = 0;
    for (int bra = 0; bra < states; bra++) {
      for (int ket = 0; ket < states; ket++) {
        double element = psi[bra] * psi[ket];
        for (int site = 0; site < row.length; site++) {
          element *= OPERATORS[row[site]][bra >> site & 1][ket >> site & 1];
        }
        sum += element;
      }
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5})
  void everyRowHasTheProbabilityThatQuantumMechanicsSays(int sites) {
    GhzState state = new GhzState(sites);
    int[][] rows = state.space().enumerate();
    double[] p = Arrays.stream(state.logProb(rows)).map(Math::exp).toArray();
    for (int i = 0; i < rows.length; i++) {
      assertThat(p[i])
          .as("%s", Arrays.toString(rows[i]))
          .isCloseTo(expectation(rows[i]), within(1e-15));
    }
    assertThat(Arrays.stream(p).sum()).isCloseTo(1, within(1e-12));
    assertThat(state.entropy()).isCloseTo(Entropy.of(p), within(1e-12));

    double[][] marginals = new double[sites][4];
    for (int i = 0; i < rows.length; i++) {
      for (int site = 0; site < sites; site++) {
        marginals[site][rows[i][site]] += p[i];
      }
    }
    assertThat(state.factorised())
        .isCloseTo(Arrays.stream(marginals).mapToDouble(Entropy::of).sum(), within(1e-12));
  }

  @Test
  void tenSitesAreThePublishedOnes() {
    GhzState state = new GhzState(10);
    assertThat(state.entropy()).isCloseTo(10.795, within(5e-4));
    assertThat(state.factorised()).isCloseTo(12.425, within(5e-4));
    int[][] exclusive = {{0, 1, 3, 3, 3, 3, 3, 3, 3, 3}};
    assertThat(state.logProb(exclusive)[0]).isEqualTo(Double.NEGATIVE_INFINITY);
  }

  @Test
  void oneSiteIsNoState() {
    assertThatThrownBy(() -> new GhzState(1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sites must be at least 2, but is 1");
  }
}
