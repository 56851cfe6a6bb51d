package io.ringflow.paper.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DigitSumTest {
  @Test
  void sumsTheDigitsOfEveryNumber() {
    for (int[] weights : new int[][] {{7}, {5, 0}, {0, 11, 1}, {1, 3, 0, 9}}) {
      var sums = new DigitSum(3, weights);
      for (int number = 0; number < Math.pow(3, weights.length); number++) {
        int expected = 0;
        for (int digit = weights.length - 1, rest = number; digit >= 0; digit--, rest /= 3) {
          expected += rest % 3 * weights[digit];
        }
        assertThat(sums.of(number)).isEqualTo(expected);
      }
    }
  }
}
