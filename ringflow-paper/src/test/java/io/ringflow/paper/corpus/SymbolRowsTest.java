package io.ringflow.paper.corpus;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.DataFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SymbolRowsTest {
  /** The bytes that are read at a time. */
  private static final int PIECE = 1 << 16;

  private static final Pattern LINE =
      Pattern.compile("[ \t]*[0-9]+(?:(?:[ \t]*,[ \t]*|[ \t]+)[0-9]+)*[ \t]*\r?");

  private static final int[][] TWO_BY_THREE = {{0, 1, 2}, {10, 1_000_000, 7}};

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("rows");
  }

  private int[][] read(String text) throws IOException {
    return SymbolRows.read(Files.writeString(file, text));
  }

  private void assertRefused(String text, String reason) throws IOException {
    Files.writeString(file, text);
    assertRefused(reason);
  }

  private void assertRefused(String reason) {
    assertThatThrownBy(() -> SymbolRows.read(file))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(file + ": " + reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0,1,2\n10,1000000,7\n",
        "0,1,2\n10,1000000,7",
        "0 1 2 \n10 1000000 7 \n",
        "0\t1\t2\r\n10\t1000000\t7\r\n",
        "0, 1 ,2\r\n10  ,\t1000000   7\r",
        "\n\r\n \t\n 0 1 2\n\n\n  10 1000000 7  \n \r\n",
        "\uFEFF0,1,2\n10,1000000,7\n",
        "000000000000000000000000000000,01,2\n10,0000000000000000000000000000001000000,07\n",
      })
  void waysToWriteTheSameRows(String text) throws IOException {
    assertThat(read(text)).isDeepEqualTo(TWO_BY_THREE);
  }

  /** What is a row, by a regular expression; empty where something is not one. */
  private static Optional<int[][]> byExpression(String text) {
    List<int[]> rows = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      if (line.matches("[ \t]*\r?")) {
        continue;
      }
      if (!LINE.matcher(line).matches()) {
        return Optional.empty();
      }
      rows.add(Arrays.stream(line.trim().split("[ ,\t]+")).mapToInt(Integer::parseInt).toArray());
    }
    boolean same = rows.stream().mapToInt(row -> row.length).distinct().count() == 1;
    return same ? Optional.of(rows.toArray(int[][]::new)) : Optional.empty();
  }

  @Test
  void allShortFilesAreReadOrRefused() throws IOException {
    String alphabet = "1, \r\n";
    int readable = 0;
    List<String> texts = List.of("");
    for (int length = 0; length <= 5; length++) {
      for (String text : texts) {
        Files.writeString(file, text);
        Optional<int[][]> expected = byExpression(text);
        if (expected.isPresent()) {
          readable++;
          assertThat(SymbolRows.read(file)).as(text).isDeepEqualTo(expected.get());
        } else {
          assertThatThrownBy(() -> SymbolRows.read(file))
              .as(text)
              .isInstanceOf(DataFormatException.class);
        }
      }
      texts =
          texts.stream().flatMap(text -> alphabet.chars().mapToObj(c -> text + (char) c)).toList();
    }
    assertThat(readable).isGreaterThan(500);
  }

  /** Shifted byte by byte, so that symbols and line ends lie across the ends of pieces. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
  void aLongFileSurvives(int shift) throws IOException {
    var rng = new SplittableRandom(7);
    int[][] rows = new int[20_000][];
    var text = new StringBuilder(" ".repeat(shift));
    for (int i = 0; i < rows.length; i++) {
      rows[i] = rng.ints(3, 0, 1000).toArray();
      text.append(rows[i][0]).append(',').append(rows[i][1]).append("  ").append(rows[i][2]);
      text.append(i % 2 == 0 ? "\n" : "\r\n");
    }
    assertThat(text.length()).isGreaterThan(3 * PIECE);
    assertThat(Arrays.deepEquals(read(text.toString()), rows)).isTrue();
  }

  @Test
  void aRowMayBeLong() throws IOException {
    int[] row = new SplittableRandom(7).ints(100_001, 0, 10).toArray();
    var text = new StringBuilder();
    Arrays.stream(row).forEach(symbol -> text.append(symbol).append(' '));
    assertThat(read(text.toString())).isDeepEqualTo(new int[][] {row});
  }

  @Test
  void rowsAreApart() throws IOException {
    int[][] rows = read("1 2\n1 2\n");
    rows[0][0] = 9;
    assertThat(rows[1]).containsExactly(1, 2);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "x, 'x' is not a whole number",
        "1x, '1x' is not a whole number",
        "x1, 'x1' is not a whole number",
        "1.0, '1.0' is not a whole number",
        "1e3, '1e3' is not a whole number",
        "+1, '+1' is not a whole number",
        "-, '-' is not a whole number",
        "--1, '--1' is not a whole number",
        "1-, '1-' is not a whole number",
        "3;4, '3;4' is not a whole number",
        "é, 'é' is not a whole number",
        "\u0663, '\u0663' is not a whole number",
        "a\u001B[2Jb, 'a?[2Jb' is not a whole number",
        "a\u009Bb, 'a?b' is not a whole number",
        "-1, '-1' is negative; symbols count from 0",
        "-0012, '-0012' is negative; symbols count from 0",
        "1000001, '1000001' is too large; the largest symbol is 1000000",
        "10000000, '10000000' is too large; the largest symbol is 1000000",
        "4294967297, '4294967297' is too large; the largest symbol is 1000000",
        "1844674407370955161700000000, '184467440737095516170000…' is too large; the largest symbol"
            + " is 1000000",
        "-111111111122222222223333, '-11111111112222222222333…' is negative; symbols count from 0",
        "abcdefghijklmnopqrstuvwx, 'abcdefghijklmnopqrstuvwx' is not a whole number",
        "abcdefghijklmnopqrstuvwxy, 'abcdefghijklmnopqrstuvwx…' is not a whole number",
      })
  void whatIsNoSymbolIsShown(String text, String reason) throws IOException {
    assertRefused(text, "line 1, column 1: " + reason);
    assertRefused("10,2\n\n 0, " + text + "\r\n3,4\n", "line 3, column 5: " + reason);
    assertRefused("\uFEFF0\t" + text + ",1", "line 1, column 3: " + reason);
    for (int blanks = PIECE - 30; blanks <= PIECE; blanks++) {
      assertRefused(" ".repeat(blanks) + text, "line 1, column " + (blanks + 1) + ": " + reason);
    }
  }

  @Test
  void aByteOrderMarkIsSkippedAtTheStartOnly() throws IOException {
    assertRefused("\uFEFF\uFEFF1", "line 1, column 1: '?1' is not a whole number");
    assertRefused("1\n\uFEFF1", "line 2, column 1: '?1' is not a whole number");
  }

  @Test
  void aSymbolIsMissingBesideAComma() throws IOException {
    assertRefused(",1\n", "line 1, column 1: no symbol before the comma");
    assertRefused("1,2\n3,,4\n", "line 2, column 3: no symbol before the comma");
    assertRefused("1,2\n3, ,4\n", "line 2, column 4: no symbol before the comma");
    assertRefused("1,2,\n", "line 1, column 5: no symbol after the last comma");
    assertRefused("1,2\n3,", "line 2, column 3: no symbol after the last comma");
    assertRefused(",", "line 1, column 1: no symbol before the comma");
  }

  @Test
  void linesDoNotEndInACarriageReturnAlone() throws IOException {
    String reason = "a carriage return must be followed by a newline";
    assertRefused("1 2\r3 4\r", "line 1, column 4: " + reason);
    assertRefused("1 2\n3\r\r\n", "line 2, column 2: " + reason);
  }

  @Test
  void rowsOfOtherLengths() throws IOException {
    assertRefused("1,2,3\n4,5\n", "line 2 has 2 symbols, but line 1 has 3");
    assertRefused("\n1,2\n\n3,4\n5", "line 5 has 1 symbol, but line 2 has 2");
    assertRefused("1\n2\n3 4 5 6", "line 3 has 4 symbols, but line 1 has 1");
    String seventeen = "1 ".repeat(17);
    assertRefused(
        seventeen + "\n1" + seventeen + "1\n", "line 2 has 18 symbols, but line 1 has 17");
  }

  @Test
  void noRows() throws IOException {
    assertRefused("", "is empty");
    assertRefused("\n \r\n\t\n", "has no rows");
    assertRefused("\uFEFF", "has no rows");
    assertRefused(" ".repeat(PIECE), "has no rows");
  }

  @Test
  void noFile() throws IOException {
    assertRefused("no such file");
    Files.createDirectory(file);
    assertRefused("is a folder, not a file");
  }

  @Test
  void compressedFilesAreToUnpack() throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write("1,2\n".getBytes(ISO_8859_1));
    }
    Files.write(file, packed.toByteArray());
    assertRefused("is compressed by gzip; unpack it first, with gunzip");
    Files.writeString(file, "\u00FD7zXZ\0\0\4", ISO_8859_1);
    assertRefused("is compressed by xz; unpack it first, with unxz");
    Files.writeString(file, "\u00FD7zX", ISO_8859_1);
    assertRefused("line 1, column 1: '\uFFFD7zX' is not a whole number");
  }

  @Test
  void theLargestMayBeSmaller() throws IOException {
    Files.writeString(file, "0 3\n4 1\n");
    assertThat(SymbolRows.read(file, 4)).isDeepEqualTo(new int[][] {{0, 3}, {4, 1}});
    assertThatThrownBy(() -> SymbolRows.read(file, 3))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(file + ": line 2, column 1: '4' is too large; the largest symbol is 3");
    assertThatThrownBy(() -> SymbolRows.read(file, 0))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(file + ": line 1, column 3: '3' is too large; the largest symbol is 0");
    for (int largest : new int[] {-1, 1_000_001}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SymbolRows.read(file, largest))
          .withMessage("largest must be in 0..1000000, but is " + largest);
    }
  }
}
