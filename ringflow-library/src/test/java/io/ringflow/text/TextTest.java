package io.ringflow.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.DataFormatException;
import io.ringflow.core.WeightedRows;
import io.ringflow.train.Batches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TextTest {
  /** Longer than the pieces a file is read in and the blocks ids lie in. */
  private static final int LONG = (1 << 20) + 70_001;

  private static final String MARK = "\uFEFF";

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("text");
  }

  private Text any(String text) throws IOException {
    return Text.read(Files.writeString(file, text));
  }

  private Text text8(String text) throws IOException {
    return Text.read(Files.writeString(file, text), Vocabulary.TEXT8);
  }

  private void assertRefused(String text, Vocabulary vocabulary, String reason) throws IOException {
    Files.writeString(file, text);
    assertThatThrownBy(() -> Text.read(file, vocabulary))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(file + ": " + reason);
  }

  private static String decoded(Text text) {
    return text.vocabulary().text(text.row(0, (int) text.length()));
  }

  @Test
  void theVocabularyIsWhatOccursAscending() throws IOException {
    Text text = any("zé\n😀az\n");
    assertThat(text.vocabulary()).isEqualTo(Vocabulary.of("\nazé😀"));
    assertThat(text.row(0, 7)).containsExactly(2, 3, 0, 4, 1, 2, 0);
    assertThat(text).hasToString("7 of 5 symbols");
  }

  @Test
  void aByteOrderMarkIsSkippedAtTheStartOnly() throws IOException {
    assertThat(decoded(any(MARK + "ab"))).isEqualTo("ab");
    assertThat(decoded(any("a" + MARK))).isEqualTo("a" + MARK);
    assertThat(decoded(any(MARK + MARK))).isEqualTo(MARK);
    assertThat(decoded(text8(MARK + "ab"))).isEqualTo("ab");
    String piece = "a".repeat(1 << 16);
    assertThat(decoded(any(piece + MARK)).equals(piece + MARK)).isTrue();
  }

  /** Characters of 1 to 4 bytes, shifted so that each kind lies across the ends of pieces. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
  void aLongTextSurvives(int shift) throws IOException {
    String text = "x".repeat(shift) + "aé€😀".repeat(20_000);
    assertThat(decoded(any(text)).equals(text)).isTrue();
    Text strict = Text.read(file, Vocabulary.of("€😀éax"));
    assertThat(decoded(strict).equals(text)).isTrue();
  }

  @Test
  void idsLieAcrossBlocks() throws IOException {
    char[] letters = new char[LONG];
    for (int i = 0; i < LONG; i++) {
      letters[i] = (char) ('a' + i * 7L % 26);
    }
    Text text = text8(new String(letters));
    assertThat(text.length()).isEqualTo(LONG);
    int[] row = text.row(0, LONG);
    for (int i = 0; i < LONG; i++) {
      if (row[i] != letters[i] - 'a' + 1 || text.id(i) != row[i]) {
        throw new AssertionError("at " + i);
      }
    }
    int edge = 1 << 20;
    assertThat(text.row(edge - 2, 4)).containsExactly(Arrays.copyOfRange(row, edge - 2, edge + 2));
    assertThat(decoded(Text.read(file)).equals(new String(letters))).isTrue();
    assertThat(Text.read(file).sha256()).as("a is 0, not 1").isNotEqualTo(text.sha256());
  }

  @Test
  void oneNewlineAtTheVeryEndIsIgnoredIfThereIsNoneInTheVocabulary() throws IOException {
    assertThat(decoded(text8("ab\n"))).isEqualTo("ab");
    assertThat(decoded(any("ab\n"))).isEqualTo("ab\n");
    assertThat(decoded(Text.read(file, Vocabulary.of("ab\n")))).isEqualTo("ab\n");
    String newline = "'\\n' U+000A is not among the vocabulary's 27 symbols";
    assertRefused("ab\n\n", Vocabulary.TEXT8, "line 1, column 3: " + newline);
    assertRefused("ab\nc", Vocabulary.TEXT8, "line 1, column 3: " + newline);
    // The newline ends a piece, but not the file.
    int piece = 1 << 16;
    String full = "a".repeat(piece - 1) + "\n";
    assertThat(text8(full).length()).isEqualTo(piece - 1);
    assertRefused(full + "a", Vocabulary.TEXT8, "line 1, column " + piece + ": " + newline);
  }

  @Test
  void aForeignSymbolIsShownWithItsPlace() throws IOException {
    assertRefused(
        "abc Def",
        Vocabulary.TEXT8,
        "line 1, column 5: 'D' U+0044 is not among the vocabulary's 27 symbols");
    assertRefused(
        "a\n😀aé\n",
        Vocabulary.of("a\n😀", "end"),
        "line 2, column 3: 'é' U+00E9 is not among the vocabulary's 4 symbols");
    assertRefused(
        "\n".repeat(100_000) + "aa\u001B",
        Vocabulary.of("a\n"),
        "line 100001, column 3: U+001B is not among the vocabulary's 2 symbols");
  }

  @Test
  void damagedBytesAreToldByTheirPlace() throws IOException {
    for (int sound : new int[] {0, 3, 1 << 16, (1 << 17) - 1}) {
      for (String damage : new String[] {"80", "ff41", "c3", "c341", "e282", "f09f98", "eda080"}) {
        byte[] bytes =
            Arrays.copyOf("a".repeat(sound).getBytes(UTF_8), sound + damage.length() / 2);
        byte[] tail = HexFormat.of().parseHex(damage);
        System.arraycopy(tail, 0, bytes, sound, tail.length);
        Files.write(file, bytes);
        String message = file + ": is not UTF-8 text: byte " + sound + " is damaged";
        assertThatThrownBy(() -> Text.read(file))
            .isInstanceOf(DataFormatException.class)
            .hasMessage(message);
        assertThatThrownBy(() -> Text.read(file, Vocabulary.TEXT8))
            .isInstanceOf(DataFormatException.class)
            .hasMessage(message);
      }
    }
  }

  @Test
  void whatIsNoTextIsOneLine() throws IOException {
    assertThatThrownBy(() -> Text.read(file))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(file + ": no such file");
    assertThatThrownBy(() -> Text.read(folder))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(folder + ": is a folder, not a file");
    for (String nothing : new String[] {"", MARK}) {
      Files.writeString(file, nothing);
      assertThatThrownBy(() -> Text.read(file))
          .isInstanceOf(DataFormatException.class)
          .hasMessage(file + ": is empty");
    }
    assertRefused("\n", Vocabulary.TEXT8, "is empty");
  }

  @Test
  void thereMayBe65536Symbols() throws IOException {
    StringBuilder all = new StringBuilder();
    IntStream.range(0, Vocabulary.MAX_SIZE).map(i -> 0x2FFFF - i).forEach(all::appendCodePoint);
    Text text = any(all.toString());
    assertThat(text.vocabulary().size()).isEqualTo(65_536);
    assertThat(text.id(0)).isEqualTo(65_535);
    assertThat(text.id(65_535)).isZero();
    Files.writeString(file, all + "a");
    assertThatThrownBy(() -> Text.read(file))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(file + ": has more than 65536 different characters");
  }

  @Test
  void slicesOfSlices() throws IOException {
    Text text = any("abcdefghij");
    Text slice = text.slice(2, 9).slice(1, 5);
    assertThat(decoded(slice)).isEqualTo("defg");
    assertThat(slice.id(3)).isEqualTo(6);
    assertThat(slice.row(1, 2)).containsExactly(4, 5);
    assertThat(slice.row(4, 0)).isEmpty();
    assertThat(slice.slice(4, 4).length()).isZero();
    assertThatThrownBy(() -> slice.id(4)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> slice.id(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> slice.row(3, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> slice.slice(0, 5)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> slice.slice(3, 2)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void rowsLeaveOutWhatFillsNone() throws IOException {
    Text text = any("abcdefgh").slice(1, 8);
    assertThat(text.rows(3)).isDeepEqualTo(new int[][] {{1, 2, 3}, {4, 5, 6}});
    assertThat(text.rows(7)).isDeepEqualTo(new int[][] {{1, 2, 3, 4, 5, 6, 7}});
    assertThat(text.rows(8)).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> text.rows(0))
        .withMessage("length must be at least 1, but is 0");
  }

  @Test
  void rowsInPartsAreAllRows() {
    byte[] bytes = new byte[30_001];
    new Random(1).nextBytes(bytes);
    Text text = Text.ofBytes(bytes);
    List<int[]> found = new ArrayList<>();
    for (int reading = 0; reading < 2; reading++) {
      found.clear();
      for (WeightedRows part : text.rowsInParts(3)) {
        found.addAll(Arrays.asList(part.rows()));
        assertThat(part.weights()).containsOnly(1);
        assertThat(part.conditions()).isEmpty();
      }
      assertThat(found.toArray(int[][]::new)).isDeepEqualTo(text.rows(3));
    }
    assertThat(text.rowsInParts(30_002)).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> text.rowsInParts(0));
  }

  @Test
  void theFingerprintIsThatOfTwoBytesASymbol() throws Exception {
    Text text = any("cab");
    byte[] bytes = {0, 2, 0, 0, 0, 1};
    String expected = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    assertThat(text.sha256()).isEqualTo(expected);
    assertThat(text.slice(0, 2).sha256()).isNotEqualTo(expected);
    assertThat(any("xcab").slice(1, 4).sha256()).isEqualTo(expected);

    Text across = any("ab".repeat(LONG / 2));
    byte[] all = new byte[2 * (LONG - 1 - 3)];
    for (int i = 0; i < all.length / 2; i++) {
      all[2 * i + 1] = (byte) ((i + 3) % 2);
    }
    assertThat(across.slice(3, LONG - 1).sha256())
        .isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(all)));
  }

  @Test
  void windowsDependOnSeedAndStepAlone() throws IOException {
    Text text = any("the quick brown fox jumps over the lazy dog");
    Batches windows = text.windows(5, 7, 3);
    int[][] fourth = windows.batch(4).rows();
    windows.batch(9);
    assertThat(windows.batch(4).rows()).isDeepEqualTo(fourth);
    assertThat(Text.read(file).windows(5, 7, 3).batch(4).rows()).isDeepEqualTo(fourth);
    assertThat(fourth).hasDimensions(5, 7);
    assertThat(Arrays.deepEquals(windows.batch(5).rows(), fourth)).isFalse();
    assertThat(Arrays.deepEquals(text.windows(5, 7, 4).batch(4).rows(), fourth)).isFalse();
    assertThat(windows.batch(4).condition()).isEmpty();
  }

  /** Of 10 places for a window each comes about 1000 times in 10,000, the first and last too. */
  @Test
  void everyPlaceIsAsLikely() throws IOException {
    Text text = any("xabcdefghijklx").slice(1, 13);
    int[] begins = new int[26];
    for (int step = 0; step < 100; step++) {
      for (int[] row : text.windows(100, 3, 1).batch(step).rows()) {
        assertThat(row).containsExactly(row[0], row[0] + 1, row[0] + 2);
        begins[row[0]]++;
      }
    }
    double chiSquare = 0;
    for (int place = 0; place < 10; place++) {
      chiSquare += Math.pow(begins[place] - 1000, 2) / 1000;
    }
    assertThat(Arrays.stream(begins, 0, 10).sum()).isEqualTo(10_000);
    assertThat(chiSquare)
        .as("9 degrees of freedom: 33.7 is passed once in 10,000")
        .isLessThan(33.7);
  }

  @Test
  void windowsAreDescribedByAllThatMakesThem() throws IOException {
    Text text = any("abcabc");
    String description = text.windows(2, 3, 5).description();
    assertThat(description)
        .isEqualTo(
            "a text of 6 of 3 symbols, batches of 2 windows of 3 sampled with seed 5, SHA-256 "
                + text.sha256());
    assertThat(text.windows(2, 6, 5).batch(0).rows()[0]).containsExactly(0, 1, 2, 0, 1, 2);
    assertThat(any("abcacb").windows(2, 3, 5).description()).isNotEqualTo(description);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> text.windows(2, 7, 5))
        .withMessage("length must be at most the text's 6 symbols, but is 7");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> text.windows(0, 1, 5))
        .withMessage("batchSize must be at least 1, but is 0");
  }

  @Test
  void aSplitTakesTheEnd() throws IOException {
    Text.Split split = Text.Split.of(any("abcdefghij"), 0.2, 0.1);
    assertThat(decoded(split.train())).isEqualTo("abcdefg");
    assertThat(decoded(split.validation())).isEqualTo("hi");
    assertThat(decoded(split.test())).isEqualTo("j");
    Text.Split whole = Text.Split.of(Text.read(file), 0, 0);
    assertThat(whole.train().length()).isEqualTo(10);
    assertThat(whole.test().length()).isZero();
  }

  @Test
  void sharesMustLeaveSomething() throws IOException {
    Text text = any("ab");
    for (double[] bad : new double[][] {{-0.1, 0}, {0, -0.1}, {0.5, 0.5}, {Double.NaN, 0}}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Text.Split.of(text, bad[0], bad[1]))
          .withMessage(
              "shares must be at least 0 and together less than 1, but are %s and %s",
              bad[0], bad[1]);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Text.Split.of(text, 0.4, 0.4))
        .withMessage("a text of 2 symbols leaves nothing to train on");
  }
}
