package io.ringflow.layer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class UnitsTest {
  @Test
  void theInverseIsTheOneFoundByTryingAll() {
    for (int k = 1; k <= 200; k++) {
      for (int scale = 0; scale < k; scale++) {
        assertThat(Units.inverse(scale, k))
            .as("%d modulo %d", scale, k)
            .isEqualTo(search(scale, k));
      }
    }
  }

  private static long search(int scale, int k) {
    for (int other = 0; other < k; other++) {
      if (scale * other % k == 1 % k) {
        return other;
      }
    }
    return -1;
  }

  @Test
  void largeModuliDoNotOverflow() {
    long k = 2_147_483_647;
    for (long scale : new long[] {1, 2, 65_536, 1_234_567_890, k - 1}) {
      assertThat(scale * Units.inverse(scale, k) % k).isOne();
    }
  }
}
