package io.ringflow.internal.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.text.Vocabulary;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class ByteTextTest {
  private static final Vocabulary CHARACTERS = Vocabulary.of("a é€😀", "end");
  private static final ByteText MIXED = ByteText.of(false, CHARACTERS.codePoints(), CHARACTERS::id);
  private static final ByteText BYTES = ByteText.of(true, new int[0], codePoint -> -1);

  private static void assertComesBack(ByteText text, byte[] bytes) {
    try {
      ByteText.Parts parts = text.parts(bytes);
      for (char symbol : parts.symbols()) {
        assertThat((int) symbol).isLessThan(text.symbols());
      }
      assertThat(text.bytes(parts, bytes.length)).isEqualTo(bytes);
    } catch (CompressedFormatException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void charactersAreSymbolsAndTheRestIsEscaped() throws CompressedFormatException {
    ByteText.Parts parts = MIXED.parts(utf8("aé€xyz😀 ñ"));
    assertThat(new String(parts.symbols())).isEqualTo("\0\2\3\4\1");
    assertThat(parts.escapes()).isNotEmpty();
    assertThat(MIXED.bytes(parts, 16)).isEqualTo(utf8("aé€xyz😀 ñ"));
    assertThat(MIXED.parts(utf8("a é€😀")).escapes()).isEmpty();
  }

  @Test
  void everyByteIsASymbolOfBytes() {
    byte[] all = new byte[256];
    for (int i = 0; i < 256; i++) {
      all[i] = (byte) i;
    }
    ByteText.Parts parts = BYTES.parts(all);
    assertThat(parts.escapes()).isEmpty();
    for (int i = 0; i < 256; i++) {
      assertThat((int) parts.symbols()[i]).isEqualTo(i);
    }
    assertComesBack(BYTES, all);
    assertComesBack(MIXED, all);
    assertComesBack(MIXED, new byte[0]);
  }

  /** Every sequence of up to three bytes of the kinds that matter, against Java's own decoder. */
  @Test
  void utf8IsStrict() {
    int[] kinds = {
      0x00, 0x61, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
      0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xF8, 0xFC, 0xFE, 0xFF
    };
    for (int a : kinds) {
      assertLikeJava((byte) a);
      for (int b : kinds) {
        assertLikeJava((byte) a, (byte) b);
        for (int c : kinds) {
          assertLikeJava((byte) a, (byte) b, (byte) c);
          for (int d : kinds) {
            assertLikeJava((byte) a, (byte) b, (byte) c, (byte) d);
          }
        }
      }
    }
  }

  private static void assertLikeJava(byte... bytes) {
    int found = Utf8.codePoint(bytes, 0);
    int expected = -1;
    for (int length = 1; length <= bytes.length && expected < 0; length++) {
      expected = single(bytes, length);
    }
    if (found != expected) {
      assertThat(found).as("of %s", bytes).isEqualTo(expected);
    }
  }

  /** The character that the first bytes are, or -1. */
  private static int single(byte[] bytes, int length) {
    CharBuffer text = CharBuffer.allocate(2);
    CoderResult result =
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length), text, true);
    return result.isUnderflow() ? Character.codePointAt(text.flip(), 0) : -1;
  }

  @Test
  void everyCharacterHasItsBytes() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
        byte[] bytes = utf8(Character.toString(c));
        if (Utf8.codePoint(bytes, 0) != c || Utf8.length(c) != bytes.length) {
          assertThat(Utf8.codePoint(bytes, 0)).isEqualTo(c);
          assertThat(Utf8.length(c)).isEqualTo(bytes.length);
        }
      }
    }
  }

  @Property(tries = 500)
  void anyBytesComeBack(@ForAll byte[] bytes) {
    assertComesBack(MIXED, bytes);
    assertComesBack(BYTES, bytes);
  }

  @Property(tries = 500)
  void anyMixtureComesBack(@ForAll long seed) {
    var random = new SplittableRandom(seed);
    String[] pieces = {"a", " ", "é", "€", "😀", "x", "ñ", "漢", "🙈", "\0"};
    var out = new ByteWriter();
    for (int i = random.nextInt(200); i > 0; i--) {
      if (random.nextInt(5) == 0) {
        out.single(random.nextInt(256));
      } else {
        out.bytes(utf8(pieces[random.nextInt(pieces.length)]));
      }
    }
    assertComesBack(MIXED, out.toBytes());
  }

  @Test
  void whatDoesNotFitTogetherIsNoticed() {
    ByteText.Parts parts = MIXED.parts(utf8("axya"));
    assertDamaged(parts.symbols(), parts.escapes(), 3);
    assertDamaged(parts.symbols(), parts.escapes(), 5);
    assertDamaged(new char[0], parts.escapes(), 2);
    assertDamaged(new char[] {0, 5}, new byte[0], 1);
    assertDamaged(parts.symbols(), new byte[] {1, 2, 3}, 4);
    assertDamaged(parts.symbols(), Deflated.of(new byte[] {1, 1, 3, 'x', 'y'}), 4);
    assertDamaged(parts.symbols(), Deflated.of(new byte[] {9, 1, 2, 'x', 'y'}), 4);
    assertDamaged(parts.symbols(), Deflated.of(new byte[1 << 20]), 4);
  }

  private static void assertDamaged(char[] symbols, byte[] escapes, int length) {
    assertThatThrownBy(() -> MIXED.bytes(new ByteText.Parts(symbols, escapes), length))
        .isInstanceOf(CompressedFormatException.class)
        .hasMessageStartingWith("is damaged: ");
  }
}
