package io.ringflow.internal.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Probabilities of symbols become log-odds of bits, and bits become symbols. */
final class SpellingOddsTest {
  private static final List<String> SYMBOLS = List.of("b", "é", "a", "", "€", " ", "è");
  private static final double[] P = {0.3, 0.05, 0.25, 0.1, 0.02, 0.2, 0.08};

  private static byte[][] spellings() {
    return SYMBOLS.stream()
        .map(symbol -> symbol.getBytes(StandardCharsets.UTF_8))
        .toArray(byte[][]::new);
  }

  private static double[] logs() {
    return Arrays.stream(P).map(Math::log).toArray();
  }

  /** The product over the bits of a spelling is the share of its symbol among those spelled. */
  @Test
  void bitsMultiplyToTheProbabilityOfTheirSymbol() {
    byte[][] spellings = spellings();
    var odds = new SpellingOdds(spellings);
    for (int symbol = 0; symbol < P.length; symbol++) {
      if (spellings[symbol].length == 0) {
        continue;
      }
      odds.take(logs(), 0);
      double product = 1;
      int end = SpellingOdds.OPEN;
      for (byte next : spellings[symbol]) {
        assertThat(end).isEqualTo(SpellingOdds.OPEN);
        for (int shift = 7; shift >= 0; shift--) {
          int bit = (next >> shift) & 1;
          double one = 1 / (1 + Math.exp(-odds.next() / 256));
          product *= bit == 1 ? one : 1 - one;
          odds.bit(bit);
        }
        end = odds.endByte();
      }
      assertThat(end).isEqualTo(symbol);
      assertThat(product).isCloseTo(P[symbol] / 0.9, within(1e-12));
    }
  }

  @Test
  void bytesThatSpellNothingAreNoSymbols() {
    var odds = new SpellingOdds(spellings());
    odds.take(logs(), 0);
    assertThat(odds.ofByte('x')).isEqualTo(SpellingOdds.NONE);
    assertThat(odds.ofByte('a')).isEqualTo(2);
    assertThat(odds.ofByte(0xC3)).isEqualTo(SpellingOdds.OPEN);
    assertThat(odds.ofByte('b')).as("after half a character").isEqualTo(0);
    assertThat(odds.ofByte(0xC3)).isEqualTo(SpellingOdds.OPEN);
    assertThat(odds.ofByte(0xA9)).isEqualTo(1);
    for (int i = 0; i < 3; i++) {
      odds.bit(1);
    }
    odds.bit(0); // € begins with 1110
    assertThat(odds.next()).isEqualTo(-64 * 256);
    odds.bit(1); // nothing begins so
    assertThat(odds.next()).isZero();
  }

  /** Whatever the last digits are, both ends round alike. */
  @Test
  void safeRoundingDoesNotDependOnTheLastDigits() {
    int safe = 0;
    for (int i = 0; i < 20_000; i++) {
      double odds = Math.sin(i) * 2500 + (i % 5 == 0 ? Math.rint(i / 7.0) + 0.5 / 32 : 0);
      for (int offset = 0; offset < OddsGuard.OFFSETS; offset++) {
        if (OddsGuard.isSafe(odds, offset)) {
          safe++;
          assertThat(OddsGuard.rounded(odds + 2e-7, offset))
              .isEqualTo(OddsGuard.rounded(odds - 2e-7, offset))
              .isBetween(-OddsGuard.MAX, OddsGuard.MAX);
        }
      }
    }
    assertThat(safe).isBetween(20_000 * 31, 20_000 * 32 - 1);
    assertThat(OddsGuard.isSafe(1 - 0.5 / 32, 0)).isFalse();
  }
}
