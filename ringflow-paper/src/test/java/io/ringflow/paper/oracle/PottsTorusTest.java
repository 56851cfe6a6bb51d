package io.ringflow.paper.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PottsTorusTest {
  @ParameterizedTest
  @CsvSource({"2, 2, 0.7", "3, 3, 1.005", "4, 3, -0.4", "2, 5, 1.2", "4, 4, 1.0986", "5, 3, 0"})
  void isWhatTheFullMatrixGives(int side, int states, double beta) {
    assertThat(PottsTorus.logPartition(side, states, beta))
        .isCloseTo(PottsLattice.periodic(side, states, beta).logPartition(), within(1e-9));
  }

  /** An equal pair weighs exp(beta) where spins' products give exp(beta / 2) and exp(-beta / 2). */
  @ParameterizedTest
  @CsvSource({"6, 0.9", "8, 0.88", "9, 3"})
  void twoStatesAreIsing(int side, double beta) {
    assertThat(PottsTorus.logPartition(side, 2, beta))
        .isCloseTo(
            KaufmanIsing.logPartition(side, side, beta / 2) + beta * side * side, within(1e-9));
  }

  @Test
  void theLatticeOfTheFullRun() {
    assertThat(PottsTorus.logPartition(8, 3, 1.005)).isCloseTo(133.530964, within(1e-6));
  }

  @Test
  void rowsOfTooManyStatesAreRefused() {
    assertThatThrownBy(() -> PottsTorus.logPartition(9, 3, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "side and states must be at least 2, with at most 10000 states of a row, but are 9 and 3");
  }
}
