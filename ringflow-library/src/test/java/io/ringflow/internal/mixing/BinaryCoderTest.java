package io.ringflow.internal.mixing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.CompressedFormatException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Bits come back, at the cost of their probabilities. */
final class BinaryCoderTest {
  private static final int[] EDGES = {1, 2, 255, 256, 32_767, 32_768, 65_534, 65_535};

  /** Both parts of any interval have something in them, and together they are the interval. */
  @Test
  void noPartIsEmpty() {
    var random = new SplittableRandom(1);
    for (int i = 0; i < 100_000; i++) {
      long low = random.nextLong(1L << 32);
      long width = Math.min((1L << 32) - low, 1 + random.nextLong(1L << random.nextInt(33)));
      long high = low + width - 1;
      if (low == high) {
        continue; // ends that agree are never split
      }
      int probability = i % 2 == 0 ? EDGES[i / 2 % EDGES.length] : random.nextInt(1, 65_536);
      long split = Integer.toUnsignedLong(BinaryEncoder.split((int) low, (int) high, probability));
      assertThat(split).isGreaterThanOrEqualTo(low).isLessThan(high);
      double share = (split - low + 1) / (double) width;
      assertThat(share)
          .isBetween(probability / 65_536.0 - 1.0 / width, probability / 65_536.0 + 1.0 / width);
    }
  }

  @Test
  void bitsComeBackAtTheirPrice() throws CompressedFormatException {
    for (int seed = 0; seed < 50; seed++) {
      var random = new SplittableRandom(seed);
      int count = random.nextInt(20_000);
      int[] bits = new int[count];
      int[] probabilities = new int[count];
      double price = 0;
      var encoder = new BinaryEncoder();
      for (int i = 0; i < count; i++) {
        probabilities[i] =
            random.nextInt(4) == 0
                ? EDGES[random.nextInt(EDGES.length)]
                : random.nextInt(1, 65_536);
        bits[i] = random.nextInt(65_536) < probabilities[i] ? 1 : 0;
        price -= Math.log((bits[i] == 1 ? probabilities[i] : 65_536 - probabilities[i]) / 65_536.0);
        encoder.encode(bits[i], probabilities[i]);
      }
      byte[] code = encoder.finish();
      double bytes = price / Math.log(2) / 8;
      assertThat(code.length).isBetween((int) (bytes * 0.999), (int) (bytes * 1.001) + 4);
      assertThat(decoded(code, probabilities)).isEqualTo(bits);
      byte[] longer = Arrays.copyOf(code, code.length + 1);
      assertThatThrownBy(() -> decoded(longer, probabilities))
          .isInstanceOf(CompressedFormatException.class)
          .hasMessageContaining("but takes " + code.length);
    }
  }

  @Test
  void theEndIsFound() {
    int[] probabilities = new int[1000];
    Arrays.fill(probabilities, 1 << 15);
    assertThatThrownBy(() -> decoded(new byte[50], probabilities))
        .isInstanceOf(CompressedFormatException.class)
        .hasMessage("is damaged: its code ends too early");
  }

  private static int[] decoded(byte[] code, int[] probabilities) throws CompressedFormatException {
    var decoder = new BinaryDecoder(code);
    int[] bits = new int[probabilities.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = decoder.decode(probabilities[i]);
    }
    decoder.finish();
    return bits;
  }
}
