package io.ringflow.internal.mixing;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.CompressedFormatException;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class DecisionCodingTest {
  private static final int COUNT = 20_000;

  /** Decisions, what is thought of them, and what they cost if that is exact. */
  private static final class Decisions {
    final int[] bits = new int[COUNT];
    final int[] opinions = new int[COUNT];
    final int[] contexts = new int[COUNT];
    final int places;
    double exactBits;

    Decisions(long seed, int places) {
      this.places = places;
      var random = new Random(seed);
      for (int i = 0; i < COUNT; i++) {
        double logOdds = 2.5 * random.nextGaussian();
        double one = 1 / (1 + Math.exp(-logOdds));
        bits[i] = random.nextDouble() < one ? 1 : 0;
        opinions[i] = (int) Math.round(Math.max(-11, Math.min(11, logOdds)) * DecisionCoding.UNIT);
        contexts[i] = random.nextInt();
        exactBits -= Math.log(bits[i] == 1 ? one : 1 - one) / Math.log(2);
      }
    }

    int code(BitCoder coder, int index, int opinion, DecisionCoding coding) {
      int[] hashes = new int[DecisionCoding.CONTEXTS];
      for (int i = 0; i < hashes.length; i++) {
        hashes[i] = contexts[index] % (1 << (2 * i)); // some contexts come again, most do not
      }
      coding.look(hashes);
      int[] all = {opinion, 0, 0};
      return coding.code(coder, bits[index], all, index % places);
    }
  }

  private static byte[] coded(Decisions decisions, int sign) {
    var coding = new DecisionCoding(16);
    BitCoder.Writing writing = BitCoder.writing();
    for (int i = 0; i < COUNT; i++) {
      decisions.code(writing, i, sign * decisions.opinions[i], coding);
    }
    return writing.finish();
  }

  @Test
  void decisionsComeBack() throws CompressedFormatException {
    var decisions = new Decisions(1, 200);
    BitCoder.Reading reading = BitCoder.reading(coded(decisions, 1));
    var coding = new DecisionCoding(16);
    for (int i = 0; i < COUNT; i++) {
      int bit = decisions.bits[i];
      decisions.bits[i] = 0; // a reader does not know
      assertThat(decisions.code(reading, i, decisions.opinions[i], coding)).isEqualTo(bit);
    }
    reading.finish();
  }

  @Test
  void anExactOpinionCostsLittleMoreThanItsEntropy() {
    var decisions = new Decisions(2, 200);
    assertThat(8.0 * coded(decisions, 1).length).isLessThan(1.015 * decisions.exactBits);
  }

  @Test
  void anOpinionThatIsAlwaysWrongIsUnlearned() {
    var decisions = new Decisions(3, 10);
    assertThat(8.0 * coded(decisions, -1).length).isLessThan(COUNT);
  }
}
