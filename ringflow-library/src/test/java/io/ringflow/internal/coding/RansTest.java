package io.ringflow.internal.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.CompressedFormatException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class RansTest {
  /** Shares of random sizes, some tiny and some nearly all. */
  private static int[] boundaries(int symbols, SplittableRandom random) {
    int[] cuts =
        random.ints(2L * symbols, 1, Cumulative.TOTAL).distinct().limit(symbols - 1).toArray();
    for (int i = 0; i < cuts.length; i += 3) {
      cuts[i] = 1 + i; // and as small as can be
    }
    int[] inside = Arrays.stream(cuts).distinct().sorted().toArray();
    int[] all = new int[inside.length + 2];
    System.arraycopy(inside, 0, all, 1, inside.length);
    all[all.length - 1] = Cumulative.TOTAL;
    return all;
  }

  private static int symbolAt(int[] boundaries, int slot) {
    int found = Arrays.binarySearch(boundaries, slot);
    return found >= 0 ? found : -found - 2;
  }

  private static byte[] encode(int[] symbols, int[] boundaries) {
    var encoder = new RansEncoder();
    for (int i = symbols.length - 1; i >= 0; i--) {
      int k = symbols[i];
      encoder.push(boundaries[k], boundaries[k + 1] - boundaries[k]);
    }
    return encoder.finish();
  }

  private static int[] decode(byte[] bytes, int count, int[] boundaries) {
    var decoder = new RansDecoder(ByteBuffer.wrap(bytes));
    int[] symbols = new int[count];
    for (int i = 0; i < count; i++) {
      int k = symbolAt(boundaries, decoder.slot());
      symbols[i] = k;
      decoder.pop(boundaries[k], boundaries[k + 1] - boundaries[k]);
    }
    decoder.finish();
    return symbols;
  }

  /** Drawn by their shares, or all alike: rare ones too must come back, at their price. */
  @Property(tries = 300)
  void comesBackAtItsPrice(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 60) int symbols,
      @ForAll @IntRange(max = 3000) int count,
      @ForAll boolean likely) {
    var random = new SplittableRandom(seed);
    int[] boundaries = boundaries(symbols, random);
    int[] text = new int[count];
    double bits = 0;
    for (int i = 0; i < count; i++) {
      text[i] =
          likely
              ? symbolAt(boundaries, random.nextInt(Cumulative.TOTAL))
              : random.nextInt(boundaries.length - 1);
      bits -=
          Math.log((double) (boundaries[text[i] + 1] - boundaries[text[i]]) / Cumulative.TOTAL)
              / Math.log(2);
    }
    byte[] bytes = encode(text, boundaries);
    assertThat(decode(bytes, count, boundaries)).isEqualTo(text);
    assertThat((double) bytes.length).isCloseTo(bits / 8, within(bits / 8 * 1e-4 + 16));
  }

  @Test
  void aMillionSymbolsOfHardlyAnyPrice() {
    int[] boundaries = {0, Cumulative.TOTAL - 100, Cumulative.TOTAL};
    int[] text = new int[1_000_000];
    text[3] = 1;
    double bits = -Math.log(1 - 100.0 / Cumulative.TOTAL) / Math.log(2) * 1e6 + 13.4;
    byte[] bytes = encode(text, boundaries);
    assertThat((double) bytes.length).isCloseTo(bits / 8, within(bits / 8 * 1e-4 + 16));
    assertThat(decode(bytes, text.length, boundaries)).isEqualTo(text);
  }

  @Test
  void nothingIsTheStateAlone() {
    byte[] bytes = new RansEncoder().finish();
    assertThat(bytes).hasSize(8);
    new RansDecoder(ByteBuffer.wrap(bytes)).finish();
  }

  @Test
  void whatIsMissingOrTooMuchIsNoticed() {
    var random = new SplittableRandom(1);
    int[] boundaries = boundaries(30, random);
    int[] text = random.ints(100, 0, boundaries.length - 1).toArray();
    byte[] bytes = encode(text, boundaries);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> decode(cut, text.length, boundaries))
          .isInstanceOf(UncheckedIOException.class)
          .hasCauseInstanceOf(CompressedFormatException.class);
    }
    for (int more = 1; more <= 8; more++) {
      byte[] longer = Arrays.copyOf(bytes, bytes.length + more);
      assertThatThrownBy(() -> decode(longer, text.length, boundaries))
          .isInstanceOf(UncheckedIOException.class);
    }
    assertThatThrownBy(() -> decode(bytes, text.length - 1, boundaries))
        .isInstanceOf(UncheckedIOException.class);
    assertThatThrownBy(() -> decode(bytes, text.length + 1, boundaries))
        .isInstanceOf(UncheckedIOException.class);
  }
}
