package io.ringflow.paper.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NormalDistributionTest {
  // Values of erfc from tables of 16 and more digits.
  @ParameterizedTest
  @CsvSource({
    "0, 1",
    "0.5, 0.4795001221869535",
    "1, 0.15729920705028513",
    "2, 0.004677734981047266",
    "3, 2.209049699858544e-5",
    "4, 1.541725790028002e-8",
    "5, 1.5374597944280349e-12",
    "10, 2.088487583762545e-45",
    "-1, 1.8427007929497148"
  })
  void erfcAgreesWithTables(double z, double expected) {
    assertThat(NormalDistribution.erfc(z)).isCloseTo(expected, Percentage.withPercentage(1e-10));
    assertThat(NormalDistribution.erfc(z)).isCloseTo(expected, within(1e-15));
  }

  @Test
  void theTwoExpansionsMeet() {
    double below = NormalDistribution.erfc(Math.nextDown(2.0));
    double above = NormalDistribution.erfc(2.0);
    assertThat(below).isCloseTo(above, within(1e-15));
  }

  @Test
  void intervalsAreDifferencesOnEitherSide() {
    assertThat(NormalDistribution.between(-1, 2))
        .isCloseTo(NormalDistribution.cdf(2) - NormalDistribution.cdf(-1), within(1e-15));
    assertThat(NormalDistribution.between(6, 7))
        .isCloseTo(NormalDistribution.between(-7, -6), Percentage.withPercentage(1e-12))
        .isPositive();
    assertThat(NormalDistribution.cdf(1.959963984540054)).isCloseTo(0.975, within(1e-15));
  }
}
