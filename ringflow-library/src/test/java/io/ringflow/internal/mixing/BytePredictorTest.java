package io.ringflow.internal.mixing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.store.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Bytes are predicted, by probabilities that sum to one and are the same everywhere. */
final class BytePredictorTest {
  private static final int SMALL = BytePredictor.MIN_SLOT_BITS;

  private static byte[] written(BytePredictor predictor) throws IOException {
    var bytes = new ByteArrayOutputStream();
    predictor.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static BytePredictor read(byte[] state) throws IOException {
    return BytePredictor.read(SMALL, new DataInputStream(new ByteArrayInputStream(state)));
  }

  private static byte[] encoded(byte[] bytes, BytePredictor predictor) {
    return ByteCoding.encode(bytes, predictor, ProgressListener.IGNORED);
  }

  /** Enumerates all bytes that may come next, in exact numbers. */
  @Test
  void probabilitiesOfAllBytesSumToOne() {
    var predictor = new BytePredictor(SMALL);
    ByteCoding.learn(WordText.of(300, 1), predictor, ProgressListener.IGNORED);
    BigInteger sum = BigInteger.ZERO;
    for (int value = 0; value < 256; value++) {
      BytePredictor copy = predictor.copy();
      BigInteger product = BigInteger.ONE;
      for (int shift = 7; shift >= 0; shift--) {
        int bit = (value >> shift) & 1;
        int one = copy.probability();
        product = product.multiply(BigInteger.valueOf(bit == 1 ? one : 65_536 - one));
        copy.update(bit);
      }
      assertThat(product.signum()).as("byte %d", value).isPositive();
      sum = sum.add(product);
    }
    assertThat(sum).isEqualTo(BigInteger.ONE.shiftLeft(8 * 16));
  }

  /** Pieces in the same memory, short ones and some that write nearly everywhere. */
  @Test
  void copiesInReusedTablesAreTheSame() throws IOException {
    for (int slotBits : new int[] {SMALL, SMALL + 6}) {
      var predictor = new BytePredictor(slotBits);
      ByteCoding.learn(WordText.of(3000, 5), predictor, ProgressListener.IGNORED);
      byte[] state = written(predictor);
      var tables = new ReusedTables();
      for (int length : new int[] {40, 1, 300, 3000, 0, 40}) {
        BytePredictor reused = predictor.copy(tables);
        BytePredictor copy = predictor.copy();
        assertThat(sample(length, reused)).isEqualTo(sample(length, copy));
        assertThat(written(reused)).isEqualTo(written(copy));
      }
      assertThat(written(predictor.copy(tables))).isEqualTo(state);
      assertThat(written(predictor)).isEqualTo(state);
    }
  }

  private static byte[] sample(int length, BytePredictor predictor) {
    byte[] bytes = Arrays.copyOf("be".getBytes(US_ASCII), length + 2);
    ByteCoding.learn(Arrays.copyOf(bytes, 2), predictor, ProgressListener.IGNORED);
    ByteCoding.sample(bytes, 2, predictor, new SplittableRandom(length));
    return bytes;
  }

  /** Pinned: an archive must be readable by every later version, on every machine. */
  @Test
  void codesAreTheSameEverywhere() {
    byte[] code = encoded(WordText.of(2000, 2), new BytePredictor(SMALL + 4));
    assertThat(code.length).isLessThan(WordText.of(2000, 2).length / 5);
    assertThat(HexFormat.of().formatHex(Sha256.of(code), 0, 8)).isEqualTo("1a1590b7dcdf730b");
  }

  @Test
  void bytesComeBack() throws CompressedFormatException {
    var random = new SplittableRandom(3);
    byte[] noise = new byte[3000];
    random.nextBytes(noise);
    byte[] runs = new byte[40_000];
    Arrays.fill(runs, 17_000, 30_000, (byte) 0xFF);
    for (byte[] bytes :
        List.of(new byte[0], new byte[1], new byte[] {-1}, noise, runs, WordText.of(500, 4))) {
      byte[] code = encoded(bytes, new BytePredictor(SMALL));
      assertThat(code.length).isLessThan(bytes.length + bytes.length / 50 + 8);
      assertThat(
              ByteCoding.decode(
                  code, bytes.length, new BytePredictor(SMALL), ProgressListener.IGNORED))
          .isEqualTo(bytes);
    }
  }

  @Test
  void whatWasLearnedIsKeptAndHelps() throws IOException {
    var predictor = new BytePredictor(SMALL);
    ByteCoding.learn(WordText.of(1000, 5), predictor, ProgressListener.IGNORED);
    byte[] state = written(predictor);
    byte[] other = WordText.of(300, 6);
    byte[] code = encoded(other, predictor);
    assertThat(encoded(other, read(state))).isEqualTo(code);
    assertThat(code.length).isLessThan(encoded(other, new BytePredictor(SMALL)).length * 4 / 5);
  }

  @Test
  void sizesOutOfBoundsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BytePredictor(27))
        .withMessage("slotBits must be 12 to 26, but is 27");
  }
}
