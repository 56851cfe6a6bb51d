package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ContrastsTest {
  private static double mean(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum / a.length;
  }

  @Test
  void allOfThemMakeAnyFunction() {
    for (List<Integer> digits :
        List.of(List.of(2, 2, 2), List.of(3, 2), List.of(5), List.of(2, 4))) {
      List<double[]> functions = Contrasts.of(digits, digits.size());
      int numbers = digits.stream().reduce(1, (a, b) -> a * b);
      assertThat(functions).hasSize(numbers - 1); // and the constant one, which no logit needs
      double[] one = new double[numbers];
      Arrays.fill(one, 1);
      for (int i = 0; i < functions.size(); i++) {
        assertThat(mean(functions.get(i), one)).isCloseTo(0, within(1e-12));
        for (int j = 0; j <= i; j++) {
          assertThat(mean(functions.get(i), functions.get(j)))
              .isCloseTo(i == j ? 1 : 0, within(1e-12));
        }
      }
    }
  }

  @Test
  void anOrderLimitsHowManyDigitsInteract() {
    assertThat(Contrasts.of(List.of(2, 2, 2, 2), 1)).hasSize(4);
    assertThat(Contrasts.of(List.of(2, 2, 2, 2), 2)).hasSize(4 + 6);
    assertThat(Contrasts.of(List.of(3, 3), 1)).hasSize(2 + 2);
    assertThat(Contrasts.of(List.of(2, 2), 1))
        .containsExactly(new double[] {1, -1, 1, -1}, new double[] {1, 1, -1, -1});
  }
}
