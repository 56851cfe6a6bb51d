package io.ringflow.paper.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class CompensatedSumTest {
  @Test
  void keepsWhatPlainAdditionLoses() {
    assertThat(sum(1, 1e100, 1, -1e100)).isEqualTo(2);
    double[] tenths = new double[1_000_000];
    Arrays.fill(tenths, 0.1);
    assertThat(sum(tenths)).isEqualTo(100_000);
  }

  @Test
  void infinityStaysInfinity() {
    assertThat(sum(1, Double.POSITIVE_INFINITY, 2)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(sum(1, Double.NaN)).isNaN();
    assertThat(sum()).isZero();
  }

  private static double sum(double... terms) {
    var sum = new CompensatedSum();
    for (double term : terms) {
      sum.add(term);
    }
    return sum.value();
  }
}
