package io.ringflow.internal.mixing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ringflow.internal.store.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Texts are predicted by counts and opinions, by probabilities that sum to one. */
final class TextPredictorTest {
  private static final int SMALL = TextPredictor.MIN_SLOT_BITS;
  private static final byte[] TEXT = WordText.of(1500, 1);

  private static TextPredictor learned() {
    var predictor = new TextPredictor(SMALL);
    predictor.learn(TEXT, 0, TEXT.length);
    return predictor;
  }

  /** An opinion that knows the bit, but not for certain; on every third bit it is wrong. */
  private static int opinion(int bit, int index) {
    return (index % 3 == 0 ? -400 : 900) * (2 * bit - 1);
  }

  private static byte[] code(byte[] bytes, TextPredictor predictor, boolean withOpinion) {
    var encoder = new BinaryEncoder();
    for (int i = 0; i < 8 * bytes.length; i++) {
      int bit = (bytes[i / 8] >> (7 - i % 8)) & 1;
      encoder.encode(bit, predictor.probability(withOpinion ? opinion(bit, i) : 0));
      predictor.update(bit);
    }
    return encoder.finish();
  }

  /** Enumerates all halves of a byte that may come next, in exact numbers, whatever is opined. */
  @Test
  void probabilitiesOfAllBitsSumToOne() {
    TextPredictor first = learned();
    assertSumOfHalvesIsOne(first);
    for (int bit : new int[] {0, 1, 1, 0}) {
      first.probability(300);
      first.update(bit);
    }
    for (int bit : new int[] {0, 1, 0, 1}) {
      first.probability(-2047);
      first.update(bit);
    }
    assertSumOfHalvesIsOne(first);
  }

  private static void assertSumOfHalvesIsOne(TextPredictor predictor) {
    BigInteger sum = BigInteger.ZERO;
    for (int value = 0; value < 16; value++) {
      TextPredictor copy = predictor.copy();
      BigInteger product = BigInteger.ONE;
      for (int shift = 3; shift >= 0; shift--) {
        int bit = (value >> shift) & 1;
        int before = (value | 16) >> (shift + 1); // both bits must meet the same opinion
        int one = copy.probability(before * 7919 % 4095 - 2047);
        product = product.multiply(BigInteger.valueOf(bit == 1 ? one : 65_536 - one));
        copy.update(bit);
      }
      assertThat(product.signum()).as("half %d", value).isPositive();
      sum = sum.add(product);
    }
    assertThat(sum).isEqualTo(BigInteger.ONE.shiftLeft(4 * 16));
  }

  /** Pinned: an archive must be readable by every later version, on every machine. */
  @Test
  void codesAreTheSameEverywhere() {
    byte[] code = code(WordText.of(500, 2), learned(), true);
    assertThat(HexFormat.of().formatHex(Sha256.of(code), 0, 8)).isEqualTo("19dcdc6088403d64");
  }

  @Test
  void opinionsHelpAsFarAsTheyAreGood() {
    byte[] text = WordText.of(500, 3);
    int without = code(text, learned(), false).length;
    assertThat(without).isLessThan(code(text, new TextPredictor(SMALL), false).length);
    assertThat(code(text, learned(), true).length).isLessThan(without * 9 / 10);
  }

  @Test
  void whatWasLearnedIsKept() throws IOException {
    TextPredictor predictor = learned();
    var bytes = new ByteArrayOutputStream();
    predictor.write(new DataOutputStream(bytes));
    var in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    TextPredictor read = TextPredictor.read(SMALL, in);
    assertThat(in.read()).isEqualTo(-1);
    byte[] text = WordText.of(200, 4);
    assertThat(code(text, read, true)).isEqualTo(code(text, predictor, true));
  }

  /** A text that is left and taken up again is predicted as if it had never been left. */
  @Test
  void textsByTurnsKeepTheirContexts() {
    TextPredictor predictor = learned();
    TextPredictor.Place first = predictor.behind(0);
    TextPredictor.Place second = predictor.behind(1000);
    predictor.moveTo(first);
    predictor.learn(TEXT, 0, 400);
    TextPredictor alone = predictor.copy();
    predictor.moveTo(second);
    predictor.moveTo(first);
    for (int i = 0; i < 8 * 100; i++) {
      int bit = (TEXT[400 + i / 8] >> (7 - i % 8)) & 1;
      assertThat(predictor.probability(0)).isEqualTo(alone.probability(0));
      predictor.update(bit);
      alone.update(bit);
    }
  }

  @Test
  void sizesOutOfBoundsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TextPredictor(27))
        .withMessage("slotBits must be 16 to 26, but is 27");
    assertThat(TextPredictor.slotBits(0)).isEqualTo(16);
    assertThat(TextPredictor.slotBits(100_000)).isEqualTo(20);
  }
}
