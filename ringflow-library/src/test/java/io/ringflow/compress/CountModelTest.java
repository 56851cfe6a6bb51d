package io.ringflow.compress;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.ProgressListener;
import io.ringflow.internal.mixing.WordText;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A model by counting as a distribution of bytes; files through it are another test's. */
final class CountModelTest {
  private static final byte[] TEXT = WordText.of(2000, 1);
  private static CountModel model;

  @BeforeAll
  static void train() {
    model = CountModel.train(TEXT, 1, ProgressListener.IGNORED);
  }

  private static double bits(byte... bytes) {
    return model.score(bytes, ProgressListener.IGNORED).bits();
  }

  /** All bytes, first and after others. */
  @Test
  void probabilitiesSumToOne() {
    assertThat(bits()).isZero();
    for (byte[] beginning : new byte[][] {{}, {'a', 'b'}, {(byte) 0xFF}}) {
      double before = bits(beginning);
      byte[] bytes = Arrays.copyOf(beginning, beginning.length + 1);
      double sum = 0;
      for (int next = 0; next < 256; next++) {
        bytes[beginning.length] = (byte) next;
        sum += Math.pow(2, before - bits(bytes));
      }
      assertThat(sum).isCloseTo(1, within(1e-12));
    }
  }

  /** What is scored is what files are compressed by. */
  @Test
  void scoresAreSizes() throws Exception {
    for (int words : new int[] {10, 300}) {
      byte[] text = WordText.of(words, 2);
      var score = model.score(text, ProgressListener.IGNORED);
      assertThat(score.symbols()).isEqualTo(text.length);
      assertThat(score.unknownBytes()).isZero();
      byte[] compressed = new Compressor(model).compress(text);
      double frame = 4 + 1 + 1 + (text.length < 128 ? 1 : 2) + 8 + 16 + 4;
      assertThat(compressed.length - score.bits() / 8).isBetween(frame - 1, frame + 4);
    }
  }

  @Test
  void samplesAreLikeTheText() {
    byte[] beginning = Arrays.copyOf(TEXT, 20);
    List<byte[]> samples = model.sample(3, beginning, 400, 7, ProgressListener.IGNORED);
    assertThat(samples).hasSize(3);
    for (byte[] sample : samples) {
      assertThat(sample).hasSize(400).startsWith(beginning);
      // Noise of these letters would take more than 4 bits a byte.
      assertThat(model.score(sample, ProgressListener.IGNORED).bitsPerSymbol()).isLessThan(2.5);
    }
    assertThat(samples.get(0)).isNotEqualTo(samples.get(1));
    assertThat(model.sample(2, beginning, 400, 7, ProgressListener.IGNORED).get(1))
        .isEqualTo(samples.get(1));
    assertThat(model.sample(1, beginning, 400, 8, ProgressListener.IGNORED).get(0))
        .isNotEqualTo(samples.get(0));
  }

  /** How often bytes are sampled is how likely they are. */
  @Test
  void samplesAreAsFrequentAsLikely() {
    int count = 400;
    byte[] beginning = "th".getBytes(US_ASCII);
    int[] seen = new int[256];
    for (byte[] sample : model.sample(count, beginning, 3, 1, ProgressListener.IGNORED)) {
      seen[sample[2] & 0xFF]++;
    }
    double before = bits(beginning);
    for (int next = 0; next < 256; next++) {
      double p = Math.pow(2, before - bits(beginning[0], beginning[1], (byte) next));
      assertThat(seen[next])
          .as("byte %d", next)
          .isCloseTo((int) Math.round(count * p), within(2 + (int) (5 * Math.sqrt(count * p))));
    }
  }

  @Test
  void nothingIsSampledInsteadOfLess() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> model.sample(0, new byte[0], 1, 1, ProgressListener.IGNORED))
        .withMessage(
            "count must be at least 1 and length at least the beginning's, but they are 0 and 1,"
                + " and it has 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> model.sample(1, new byte[2], 1, 1, ProgressListener.IGNORED));
    assertThat(model.sample(1, TEXT, TEXT.length, 1, ProgressListener.IGNORED))
        .containsExactly(TEXT);
  }

  @Test
  void interruptsEndIt() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> model.score(TEXT, ProgressListener.IGNORED))
          .isInstanceOf(CancellationException.class);
      assertThatThrownBy(() -> model.sample(1, TEXT, TEXT.length, 1, ProgressListener.IGNORED))
          .isInstanceOf(CancellationException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue(); // left set, and cleared for other tests
    }
  }
}
