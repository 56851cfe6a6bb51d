package io.ringflow.internal.mixing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TableSizeTest {
  private static int slotBits(long textBytes, long maxMemory) {
    return TableSize.slotBits(textBytes, BytePredictor::bytes, maxMemory);
  }

  @Test
  void longTextsHaveLargerTables() {
    assertThat(slotBits(0, 1L << 40)).isEqualTo(24);
    assertThat(slotBits(32L << 20, 1L << 40)).isEqualTo(24);
    assertThat(slotBits((32L << 20) + 1, 1L << 40)).isEqualTo(25);
    assertThat(slotBits(90_000_000, 1L << 40)).isEqualTo(26);
    assertThat(slotBits(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(26);
  }

  @Test
  void tablesFitTheMemory() {
    for (long maxMemory = 64L << 20; maxMemory < 4L << 30; maxMemory += 100L << 20) {
      int bits = slotBits(90_000_000, maxMemory);
      assertThat(BytePredictor.bytes(bits)).isLessThan(maxMemory);
      assertThat(bits == 26 || BytePredictor.bytes(bits + 1) > maxMemory / 2).isTrue();
    }
    assertThat(slotBits(90_000_000, 1)).isEqualTo(16);
  }
}
