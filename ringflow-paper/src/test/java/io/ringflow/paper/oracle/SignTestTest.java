package io.ringflow.paper.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class SignTestTest {
  @Test
  void tiesCountForNeitherSide() {
    SignTest signs = SignTest.of(new double[] {-1, 0, -0.1, 2, -3, 0});
    assertThat(signs).isEqualTo(new SignTest(3, 1, 2));
    // Of 16 sequences of four signs, ten have three or more alike.
    assertThat(signs.twoSidedP()).isCloseTo(10 / 16.0, within(1e-15));
  }

  @Test
  void agreesWithEverySequenceOfSigns() {
    for (int n = 0; n <= 10; n++) {
      for (int below = 0; below <= n; below++) {
        int asUneven = 0;
        for (int signs = 0; signs < 1 << n; signs++) {
          int ones = Integer.bitCount(signs);
          asUneven += Math.abs(2 * ones - n) >= Math.abs(2 * below - n) ? 1 : 0;
        }
        assertThat(new SignTest(below, n - below, 0).twoSidedP())
            .isCloseTo(asUneven / (double) (1 << n), within(1e-12));
      }
    }
  }
}
