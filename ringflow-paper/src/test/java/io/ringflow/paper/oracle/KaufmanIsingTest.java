package io.ringflow.paper.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.infer.ExactInference;
import io.ringflow.infer.Lattice;
import io.ringflow.infer.SpinModels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class KaufmanIsingTest {
  private static final double CRITICAL = Math.log(1 + Math.sqrt(2)) / 2;

  // Computed elsewhere, by other code.
  @ParameterizedTest
  @CsvSource({
    "4, 0.44, 15.504727",
    "8, 0.44, 60.076308",
    "16, 0.28, 198.935419",
    "16, 0.44, 238.387247",
    "16, 0.4407, 238.647169",
    "16, 0.6, 310.487039",
    "24, 0.4407, 536.155559",
    "32, 0.44, 951.642126",
    "64, 0.44, 3804.677559"
  })
  void agreesWithKnownFigures(int side, double beta, double logZ) {
    assertThat(KaufmanIsing.logPartition(side, side, beta)).isCloseTo(logZ, within(6e-7));
  }

  @ParameterizedTest
  @CsvSource({"2, 2", "2, 3", "3, 2", "5, 2", "3, 3", "3, 4", "4, 3", "4, 4", "3, 5", "6, 5"})
  void agreesWithElimination(int rows, int columns) {
    for (double beta : new double[] {0, 1e-6, 0.1, 0.44, CRITICAL, 0.4407, 1, 5}) {
      double exact =
          ExactInference.of(SpinModels.ising(new Lattice(rows, columns, true), beta, 1, 0)).logZ();
      assertThat(KaufmanIsing.logPartition(rows, columns, beta))
          .as("beta %s", beta)
          .isCloseTo(exact, within(1e-11));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {100, 500})
  void coldLatticesAreOneOfTwoStates(double beta) {
    assertThat(KaufmanIsing.logPartition(6, 5, beta))
        .isCloseTo(2 * 30 * beta + Math.log(2), within(1e-14 * 60 * beta));
  }

  @Test
  void rowsAndColumnsMayBeExchanged() {
    assertThat(KaufmanIsing.logPartition(64, 5, 0.43))
        .isCloseTo(KaufmanIsing.logPartition(5, 64, 0.43), within(1e-11));
  }

  @Test
  void impossibleArgumentsAreRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KaufmanIsing.logPartition(1, 4, 0.4))
        .withMessage("rows and columns must be at least 2, but are 1 and 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KaufmanIsing.logPartition(4, 4, -0.4))
        .withMessage("beta must be in 0..500, but is -0.4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KaufmanIsing.logPartition(4, 4, Double.NaN));
  }
}
