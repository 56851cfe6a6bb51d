package io.ringflow.compress;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Numbers are written as BigDecimal writes them. */
final class CellTextTest {
  private static void check(long value, int scale, int decimals) {
    var text = new RowText();
    text.add((byte) ',');
    text.add(value, scale, decimals);
    assertThat(new String(text.bytes(), 1, text.size() - 1, StandardCharsets.US_ASCII))
        .isEqualTo(
            BigDecimal.valueOf(value, scale).setScale(decimals, RoundingMode.DOWN).toPlainString());
  }

  @Property
  void anyNumber(
      @ForAll @LongRange(min = -999_999_999_999_999_999L, max = 999_999_999_999_999_999L)
          long value,
      @ForAll @IntRange(max = 18) int scale,
      @ForAll @IntRange(max = 18) int fewer) {
    check(value, scale, Math.max(0, scale - fewer));
  }

  @Test
  void smallNumbers() {
    for (int value = -1200; value <= 1200; value++) {
      for (int scale = 0; scale <= 4; scale++) {
        for (int decimals = 0; decimals <= scale; decimals++) {
          check(value, scale, decimals);
        }
      }
    }
  }
}
