package io.ringflow.paper.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.text.Text;
import io.ringflow.text.Vocabulary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which words a text has, and which of them others know. */
final class KnownWordsTest {
  @TempDir Path folder;

  private Text text(String text) throws IOException {
    return Text.read(Files.writeString(folder.resolve("text"), text), Vocabulary.TEXT8);
  }

  @Test
  void wordsStandBetweenTwoBlanks() throws IOException {
    KnownWords words = KnownWords.of(text("cut the cat and  the dog cut"));
    assertThat(words.size()).as("the, cat, and, dog").isEqualTo(4);
    // Each as often as it occurs, but neither "tat" nor "do", which the ends may have cut.
    assertThat(words.count(List.of("tat the  the cta and do", " cat dog ")))
        .isEqualTo(new KnownWords.Count(6, 5));
    assertThat(words.count(List.of("cut cut cut"))).isEqualTo(new KnownWords.Count(1, 0));
    assertThat(words.count(List.of("the", "the cat", " the", "the ", "", " ", "  ")).words())
        .as("what has an end is no word")
        .isZero();
  }

  @Test
  void linesGiveTheSameWordsAsATextOfThem() throws IOException {
    KnownWords ofLines = KnownWords.of(List.of(" the cat ", "x and  the dog y"));
    assertThat(ofLines.size()).isEqualTo(4);
    assertThat(ofLines.count(List.of(" the cat and dog x y ")))
        .isEqualTo(new KnownWords.Count(6, 4))
        .isEqualTo(
            KnownWords.of(text(" the cat and the dog y")).count(List.of(" the cat and dog x y ")));
  }

  @Test
  void theShareIsOfAllWords() {
    assertThat(new KnownWords.Count(8, 6).share()).isEqualTo(0.75);
    assertThat(new KnownWords.Count(0, 0).share()).isNaN();
  }
}
