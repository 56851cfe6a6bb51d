package io.ringflow.internal.engine;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.network.Made;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TrainingMemoryTest {
  @Test
  void weightsThatOutgrowTheMemoryAreRefusedWithBothSizes() {
    long gibibyte = 1L << 30;
    assertThatCode(() -> TrainingMemory.check(gibibyte / 24, gibibyte)).doesNotThrowAnyException();
    assertThatThrownBy(() -> TrainingMemory.check(gibibyte / 12, gibibyte))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the model is too large to train: 89,478,485 weights take at least 2.0 GiB, but the"
                + " machine has 1.0 GiB");
  }

  /** A million units for 2^14 positions: 2^36 weights and more, none of which is made. */
  @Test
  void nothingIsMadeToFindOut() {
    int size = 1 << 14;
    int units = 1 << 20;
    assertThatThrownBy(
            () ->
                TrainingMemory.check(
                    Space.uniform(size, 2),
                    List.of(),
                    new AutoregressiveBase(Order.natural(size), new Made(units, 1))))
        .hasMessageMatching(
            "the model is too large to train: [\\d,]{14,} weights take at least \\d{4,}\\.\\d GiB, but"
                + " the machine has \\d+\\.\\d GiB");
  }
}
