package io.ringflow.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.DataFormatException;
import io.ringflow.table.TableFormat.Header;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataTableTest {
  private static final TableFormat PLAIN = new TableFormat(',', Header.NO);

  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return file(text.getBytes(UTF_8));
  }

  private Path file(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("table.csv"), bytes);
  }

  private DataTable read(String text) throws IOException {
    return DataTable.read(file(text));
  }

  private void assertRefused(String text, TableFormat format, String reason) throws IOException {
    Path file = file(text);
    assertThatThrownBy(() -> DataTable.read(file, format))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(file + ": " + reason);
  }

  private void assertRefused(String text, String reason) throws IOException {
    assertRefused(text, TableFormat.AUTO, reason);
  }

  @Test
  void namesAndCells() throws IOException {
    DataTable table = read("\uFEFFage,job\r\n30,\"clerk, senior\"\r\n\r\n,\"so \"\"called\"\"\"");
    assertThat(table.columns()).containsExactly("age", "job");
    assertThat(table.named()).isTrue();
    assertThat(DataTableFuzzTest.cells(table))
        .containsExactly(List.of("30", "clerk, senior"), List.of("", "so \"called\""));
    assertThat(table.cell(0, 1)).isEqualTo("clerk, senior");
    assertThat(table).hasToString("2 rows of 2 columns");
    assertThatThrownBy(() -> table.cell(2, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> table.cell(0, 2)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void theSeparatorIsDetected() throws IOException {
    for (String separator : List.of(",", "\t", ";", "|")) {
      DataTable table = read(String.join(separator, "a", "b", "c") + "\n1" + separator + separator);
      assertThat(table.columns()).as(separator).containsExactly("a", "b", "c");
    }
    assertThat(read("a;b\n1,5;2\n1;2,5\n").columns()).as("decimals").containsExactly("a", "b");
    assertThat(read("a,b\n\"x;y;z\",1\n").columns()).as("quoted").containsExactly("a", "b");
    assertThat(read("\"a\";\"b\"\n\"1,2\";\"3,4\"\n").columns()).containsExactly("a", "b");
    assertThat(read("a b\n1 2\n").columns()).as("one column").containsExactly("a b");
    String long1 = "x,\"" + "1;2;3;4\n".repeat(10_000) + "\"\n";
    assertThat(read("a,b\n" + long1).size()).as("cut within quotes").isEqualTo(1);
  }

  @Test
  void theHeaderIsDetected() throws IOException {
    assertThat(read("a,b\n1,2\n").columns()).containsExactly("a", "b");
    assertThat(read(",a,b\n0,1,2\n").columns()).containsExactly("column1", "a", "b");
    DataTable numbers = read("1,2\n3,4\n");
    assertThat(numbers.columns()).containsExactly("column1", "column2");
    assertThat(numbers.named()).isFalse();
    assertThat(numbers.size()).isEqualTo(2);
    assertThat(read("a,1\nb,2\n").named()).as("a number among the names").isFalse();
    assertThat(read("a,a\nb,c\n").named()).as("equal names").isFalse();
    assertThat(read("a,b\nc,d\ne,b\n").named()).as("a value that recurs").isFalse();
    assertThat(read("\"\"\na\n").named()).as("no name at all").isFalse();
    assertThat(DataTable.read(file("1,2\n3,4\n"), PLAIN.withHeader(Header.YES)).columns())
        .containsExactly("1", "2");
    assertThat(DataTable.read(file("a,b\n1,2\n"), PLAIN).size()).isEqualTo(2);
  }

  @Test
  void refusalsNameTheLine() throws IOException {
    assertRefused("", "is empty");
    assertRefused("\n\r\n\n", "has no rows");
    assertRefused("a,b\n", "has a header, but no rows");
    assertRefused("a,b\n\n1,2,3\n", "line 3: 3 cells, but line 1 has 2");
    assertRefused("\"a\nb\",c\n1,2\n1\n", "line 4: 1 cell, but line 1 has 2");
    assertRefused("a,b\n1,\"2\n3,4\n", "line 2: a quote is not closed");
    assertRefused(
        "a,b\n1,\"2\"3\n",
        "line 2: after a closing quote there is neither a separator nor the end of the line");
    assertRefused("a,b\n1,2\0\n", "line 2, column 4: a NUL byte, which no text has");
    assertRefused(
        "a,b,a\n1,2,3\n", PLAIN.withHeader(Header.YES), "line 1: two columns are named 'a'");
    assertRefused("PK\3\4...", "is a zip file or a spreadsheet; unpack it or save it as CSV first");
    assertThatThrownBy(() -> DataTable.read(folder))
        .hasMessage(folder + ": is a folder, not a file");
    Path none = folder.resolve("none.csv");
    assertThatThrownBy(() -> DataTable.read(none))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(none + ": no such file");
  }

  @Test
  void bytesThatAreNoTextAreRefused() throws IOException {
    assertBytesRefused(
        new byte[] {0x1F, (byte) 0x8B, 8, 0},
        "is compressed by gzip; unpack it first, with gunzip");
    assertBytesRefused(
        new byte[] {(byte) 0xFD, '7', 'z', 'X', 'Z', 0},
        "is compressed by xz; unpack it first, with unxz");
    assertBytesRefused(
        new byte[] {(byte) 0xFF, (byte) 0xFE, 'a', 0}, "is UTF-16 text; save it as UTF-8 first");
    assertBytesRefused(
        new byte[] {'a', ',', 'b', '\r', '\n', '1', ',', (byte) 0xE9, '\n'},
        "line 2, column 3: is not UTF-8 text");
  }

  private void assertBytesRefused(byte[] bytes, String reason) throws IOException {
    Path file = file(bytes);
    assertThatThrownBy(() -> DataTable.read(file))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(file + ": " + reason);
  }

  @Test
  void sizesAreBounded() throws IOException {
    String longest = "x".repeat(DataTable.MAX_CELL_LENGTH);
    assertThat(DataTable.read(file(longest), PLAIN).cell(0, 0)).isEqualTo(longest);
    String quotes = "\"" + "\"\"".repeat(DataTable.MAX_CELL_LENGTH) + "\"";
    assertThat(DataTable.read(file("a\n" + quotes), PLAIN).cell(1, 0))
        .isEqualTo("\"".repeat(DataTable.MAX_CELL_LENGTH));
    String tooLong = "line 2: a cell of more than 100000 characters; perhaps a quote is not closed";
    assertRefused("a\n" + longest + "x", PLAIN, tooLong);
    assertRefused("a\n" + longest.repeat(30), PLAIN, tooLong);
    assertRefused("a\n\"" + "x\n".repeat(2_000_000), PLAIN, tooLong);
    String widest = ",".repeat(DataTable.MAX_COLUMNS - 1);
    assertThat(DataTable.read(file(widest), PLAIN).columns()).hasSize(DataTable.MAX_COLUMNS);
    assertRefused(widest + ",", PLAIN, "line 1: more than 10000 cells");
    assertRefused(",".repeat(3_000_000), "line 1: more than 10000 cells");
  }

  /**
   * What is read piece by piece may be cut anywhere: within a character, quotes or a line's end.
   */
  @Test
  void piecesJoinAtEveryPlace() throws IOException {
    String tail = "\"é\"\"😀\r\n\",x\r\n\"\",\"\"\"\"\r\n";
    List<List<String>> expected = List.of(List.of("é\"😀\r\n", "x"), List.of("", "\""));
    int bytes = tail.getBytes(UTF_8).length;
    for (int piece : new int[] {1 << 13, 1 << 14, 1 << 16}) {
      for (int before = piece - bytes - 1; before <= piece + 1; before++) {
        String head = "y".repeat(before - 3) + ",\r\n";
        DataTable table = DataTable.read(file(head + tail), PLAIN);
        assertThat(DataTableFuzzTest.cells(table).subList(1, 3)).isEqualTo(expected);
      }
    }
  }

  @Test
  void rowsAreSelected() {
    DataTable table = DataTable.of(List.of("a"), List.of(List.of("x"), List.of("y"), List.of("z")));
    DataTable some = table.rows(new int[] {2, 0, 2});
    assertThat(DataTableFuzzTest.cells(some))
        .containsExactly(List.of("z"), List.of("x"), List.of("z"));
    assertThat(some.columns()).isEqualTo(table.columns());
    assertThat(table.rows(new int[0]).size()).isZero();
    assertThatThrownBy(() -> table.rows(new int[] {3}))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void quotesAreWrittenWhereNeeded() throws IOException {
    DataTable table =
        DataTable.of(List.of("a", "b c"), List.of(List.of("", "x;y"), List.of("1,5", "\"")));
    var commas = new StringWriter();
    table.write(commas, ',');
    assertThat(commas).hasToString("a,b c\n,x;y\n\"1,5\",\"\"\"\"\n");
    var semicolons = new StringWriter();
    table.write(semicolons, ';');
    assertThat(semicolons).hasToString("a;b c\n;\"x;y\"\n1,5;\"\"\"\"\n");
    Path tabs = folder.resolve("table.TSV");
    table.write(tabs);
    assertThat(tabs).hasContent("a\tb c\n\tx;y\n1,5\t\"\"\"\"\n");
  }

  @Test
  void refusesWhatNoFileCouldHold() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataTable.of(List.of(), List.of()))
        .withMessage("a table has 1 to 10000 columns, but this one has 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataTable.of(Collections.nCopies(10_001, "a"), List.of()))
        .withMessage("a table has 1 to 10000 columns, but this one has 10001");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataTable.of(List.of("a", ""), List.of()))
        .withMessage("the name of a column is empty");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataTable.of(List.of("a", "a"), List.of()))
        .withMessage("two columns are named 'a'");
    assertCellRefused("\0", "row 0, cell 0 holds a NUL character");
    assertCellRefused("\uD800", "row 0, cell 0 is not valid Unicode");
    assertCellRefused(null, "row 0, cell 0 is null; a missing cell is the empty text");
    assertCellRefused(
        "x".repeat(100_001), "row 0, cell 0 has 100001 characters, but may have at most 100000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataTable.of(List.of("a"), List.of(List.of("1", "2"))))
        .withMessage("row 0 has 2 cells, but there are 1 columns");
    for (char separator : "\"\n\r\0a7.-+#\uFEFF\uD800".toCharArray()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> TableFormat.AUTO.separatedBy(separator))
          .withMessageStartingWith("separator must be a blank or a sign");
    }
  }

  private static void assertCellRefused(String cell, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataTable.of(List.of("a"), List.of(Collections.singletonList(cell))))
        .withMessage(reason);
  }
}
