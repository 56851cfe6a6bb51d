package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EstimateTest {
  @Test
  void showsTwoDigitsOfTheError() {
    assertThat(new Estimate(12.512576, 0.0012345)).hasToString("12.5126 +- 0.0012");
    assertThat(new Estimate(-3.14159, 0.5)).hasToString("-3.14 +- 0.50");
    assertThat(new Estimate(1234.5, 67)).hasToString("1235 +- 67");
    assertThat(new Estimate(1, 1e-30)).hasToString("1.000000000000 +- 0.000000000000");
    assertThat(new Estimate(0.5, 0)).hasToString("0.5 +- 0.0");
    assertThat(new Estimate(Double.NEGATIVE_INFINITY, Double.NaN)).hasToString("-Infinity +- NaN");
  }
}
