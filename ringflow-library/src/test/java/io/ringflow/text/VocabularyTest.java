package io.ringflow.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.ModelFormatException;
import io.ringflow.internal.store.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VocabularyTest {
  private static final Vocabulary MIXED = Vocabulary.of("bé😀", "end", "padding");

  @TempDir Path folder;

  @Test
  void text8IsSpaceThenLetters() {
    assertThat(Vocabulary.TEXT8.size()).isEqualTo(27);
    assertThat(Vocabulary.TEXT8.id(' ')).isZero();
    assertThat(Vocabulary.TEXT8.id('a')).isEqualTo(1);
    assertThat(Vocabulary.TEXT8.id('z')).isEqualTo(26);
    assertThat(Vocabulary.TEXT8.specials()).isEmpty();
  }

  /** All of Unicode: exactly the vocabulary's code points have ids, and those lead back. */
  @Test
  void everyCodePointHasItsIdOrNone() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      int expected = c == 'b' ? 0 : c == 'é' ? 1 : c == 0x1F600 ? 2 : -1;
      if (MIXED.id(c) != expected) {
        assertThat(MIXED.id(c)).as(Vocabulary.name(c)).isEqualTo(expected);
      }
    }
    for (int id = 0; id < 3; id++) {
      assertThat(MIXED.id(MIXED.codePoint(id))).isEqualTo(id);
    }
  }

  @Test
  void specialsFollowTheCharacters() {
    assertThat(MIXED.size()).isEqualTo(5);
    assertThat(MIXED.id("end")).isEqualTo(3);
    assertThat(MIXED.id("padding")).isEqualTo(4);
    assertThat(MIXED.id("start")).isEqualTo(-1);
    assertThat(MIXED.codePoint(3)).isEqualTo(-1);
    assertThat(MIXED.codePoint(4)).isEqualTo(-1);
    assertThatThrownBy(() -> MIXED.codePoint(5)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void wordsStandBetweenWhatIsNoLetterAndNoDigit() {
    assertThat(Vocabulary.TEXT8.separators()).containsExactly(0);
    assertThat(Vocabulary.of("a é7,中😀", "end").separators()).containsExactly(1, 4, 6, 7);
    assertThat(Vocabulary.of("ab").separators()).isEmpty();
    assertThat(Vocabulary.of(",;", "end").separators()).as("no words").isEmpty();
    assertThat(Vocabulary.BYTES.separators())
        .hasSize(128 - 26 - 26 - 10)
        .contains((int) ' ', (int) '\n', (int) '_')
        .allMatch(separator -> separator < 128);
  }

  @Test
  void textAndIdsAreInverse() {
    assertThat(MIXED.ids("😀bé😀")).containsExactly(2, 0, 1, 2);
    assertThat(MIXED.text(new int[] {2, 0, 1, 2})).isEqualTo("😀bé😀");
    assertThat(MIXED.text(new int[] {0, 3, 1, 4, 4})).as("specials leave no trace").isEqualTo("bé");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MIXED.ids("b\nb"))
        .withMessage("'\\n' U+000A is not among the vocabulary's 5 symbols");
  }

  @Test
  void equalByValue() {
    Vocabulary same = Vocabulary.of(new int[] {'b', 'é', 0x1F600}, List.of("end", "padding"));
    assertThat(same).isEqualTo(MIXED).hasSameHashCodeAs(MIXED);
    assertThat(Vocabulary.of("éb😀", "end", "padding")).isNotEqualTo(MIXED);
    assertThat(Vocabulary.of("bé😀", "padding", "end")).isNotEqualTo(MIXED);
    assertThat(MIXED).hasToString("5 symbols");
  }

  @Test
  void survivesJson() throws IOException {
    Path file = folder.resolve("vocab.json");
    Json.write(file, MIXED);
    assertThat(Files.readString(file))
        .isEqualTo("{\n  \"characters\": \"bé😀\",\n  \"specials\": [ \"end\", \"padding\" ]\n}\n");
    assertThat(Json.read(file, Vocabulary.class)).isEqualTo(MIXED);
    Files.writeString(file, "{\"characters\": \"aba\", \"specials\": []}");
    assertThatThrownBy(() -> Json.read(file, Vocabulary.class))
        .isInstanceOf(ModelFormatException.class)
        .hasMessageContaining("symbol 2, 'a' U+0061, is symbol 0 too");
  }

  @Test
  void refusesWhatIsNoVocabulary() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Vocabulary.of(""))
        .withMessage("a vocabulary has 1 to 65536 symbols, but this one has 0");
    int[] tooMany = IntStream.rangeClosed(0x20000, 0x30000).toArray();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Vocabulary.of(tooMany, List.of()))
        .withMessage("a vocabulary has 1 to 65536 symbols, but this one has 65537");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Vocabulary.of("a", "end", "end"))
        .withMessage("specials must differ, but are [end, end]");
    for (int none : new int[] {-1, 0xD800, 0xDFFF, 0x110000}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Vocabulary.of(new int[] {'a', none}, List.of()))
          .withMessageMatching("symbol 1, 0x[0-9A-F]+, is not a character");
    }
  }

  @Test
  void namesShowOnlyWhatCanBeSeen() {
    assertThat(Vocabulary.name('x')).isEqualTo("'x' U+0078");
    assertThat(Vocabulary.name(0x1F600)).isEqualTo("'😀' U+1F600");
    assertThat(Vocabulary.name('\t')).isEqualTo("'\\t' U+0009");
    assertThat(Vocabulary.name('\r')).isEqualTo("'\\r' U+000D");
    assertThat(Vocabulary.name(0x1B)).as("escape").isEqualTo("U+001B");
    assertThat(Vocabulary.name(0x202E)).as("right-to-left override").isEqualTo("U+202E");
  }
}
