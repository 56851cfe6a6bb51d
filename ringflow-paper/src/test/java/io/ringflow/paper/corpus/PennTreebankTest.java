package io.ringflow.paper.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.DataFormatException;
import io.ringflow.text.Vocabulary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PennTreebankTest {
  @TempDir Path folder;

  /** As published: a space before every line but the first, and one alone at the end. */
  @BeforeEach
  void write() throws IOException {
    write("train", "b a _ N \n < u n k > _ a \n ");
    write("valid", "a b \n ");
    write("test", "k \n u n \n ");
  }

  private Path file(String part) {
    return folder.resolve("ptb.char." + part + ".txt");
  }

  private void write(String part, String text) throws IOException {
    Files.writeString(file(part), text);
  }

  private void assertRefused(String part, String reason) {
    assertThatThrownBy(() -> PennTreebank.read(folder))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(file(part) + ": " + reason);
  }

  private static int[] row(int... symbolsAndEnd) {
    int[] row = new int[PennTreebank.LENGTH];
    Arrays.fill(row, 10);
    System.arraycopy(symbolsAndEnd, 0, row, 0, symbolsAndEnd.length);
    return row;
  }

  @Test
  void sentencesEndAndArePadded() throws IOException {
    PennTreebank corpus = PennTreebank.read(folder);
    assertThat(corpus.vocabulary()).isEqualTo(Vocabulary.of("<>N_abknu", "end", "padding"));
    assertThat(corpus.train().rows())
        .isDeepEqualTo(new int[][] {row(5, 4, 3, 2, 9), row(0, 8, 7, 6, 1, 3, 4, 9)});
    assertThat(corpus.train().characters()).isEqualTo(4 + 1 + 7 + 1);
    assertThat(corpus.validation().rows()).isDeepEqualTo(new int[][] {row(4, 5, 9)});
    assertThat(corpus.validation().characters()).isEqualTo(3);
    assertThat(corpus.test().rows()).isDeepEqualTo(new int[][] {row(6, 9), row(8, 7, 9)});
    assertThat(corpus.test().characters()).isEqualTo(5);
  }

  @Test
  void aRowReadsAsASentence() throws IOException {
    PennTreebank corpus = PennTreebank.read(folder);
    assertThat(corpus.text(corpus.train().rows()[1])).isEqualTo("<unk> a");
    assertThat(corpus.text(new int[] {5, 10, 3, 4, 9, 5, 9})).as("cut at the end").isEqualTo("b a");
    assertThat(corpus.text(new int[] {4, 5})).as("without an end").isEqualTo("ab");
    assertThat(corpus.text(new int[] {9, 5})).isEmpty();
  }

  @Test
  void aSentenceMustFitWithItsEnd() throws IOException {
    for (int length = 285; length <= 291; length++) {
      write("train", "a b \n " + "a ".repeat(length) + "\n b \n ");
      write("valid", "a");
      write("test", " a b\n");
      PennTreebank corpus = PennTreebank.read(folder);
      boolean fits = length + 1 <= 288;
      assertThat(corpus.train().rows()).hasDimensions(fits ? 3 : 2, 288);
      assertThat(corpus.train().characters()).isEqualTo(3 + 2 + (fits ? length + 1 : 0));
      assertThat(corpus.text(corpus.train().rows()[1])).isEqualTo(fits ? "a".repeat(length) : "b");
    }
  }

  @Test
  void endingsOfFilesMayDiffer() throws IOException {
    for (String text : new String[] {"a b", "a b\n", " a b \n", "\n\na b \n \n\n", "  a b"}) {
      write("test", text);
      assertThat(PennTreebank.read(folder).test().rows()).isDeepEqualTo(new int[][] {row(4, 5, 9)});
    }
  }

  @ParameterizedTest
  @CsvSource({"train", "valid", "test"})
  void aMissingFileSaysWhereItComesFrom(String part) throws IOException {
    Files.delete(file(part));
    assertRefused(part, "no such file; it is in the folder data of Mikolov's simple-examples.tgz");
  }

  @Test
  void whatIsNoSentenceIsRefused() throws IOException {
    write("valid", "a b \n a c \n ");
    assertRefused("valid", "line 2, column 4: 'c' U+0063 does not occur in the training sentences");
    write("valid", "a b \n a <unk> \n ");
    assertRefused(
        "valid",
        "line 2, column 5: 'u' U+0075 must stand one space from the character before it, but stands"
            + " 0");
    write("valid", "a  b \n ");
    assertRefused(
        "valid",
        "line 1, column 4: 'b' U+0062 must stand one space from the character before it, but stands"
            + " 2");
    write("valid", "");
    assertRefused("valid", "is empty");
    write("valid", " \n \n");
    assertRefused("valid", "has no sentence of at most 287 characters");
    write("valid", "a ".repeat(288));
    assertRefused("valid", "has no sentence of at most 287 characters");
  }

  @Test
  void windowsLineEndingsAreNoCharacters() throws IOException {
    write("train", "a b \r\n a \r\n");
    assertRefused(
        "train",
        "line 1, column 5: '\\r' U+000D is not part of a sentence; lines end in a newline alone");
  }
}
