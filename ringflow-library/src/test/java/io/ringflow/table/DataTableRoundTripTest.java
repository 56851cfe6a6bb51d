package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.table.TableFormat.Header;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Every table that can be made comes back from a file, cell by cell. */
final class DataTableRoundTripTest {
  private static Path folder;

  @BeforeContainer
  static void open() throws IOException {
    folder = Files.createTempDirectory("table");
  }

  @AfterContainer
  static void close() throws IOException {
    Files.deleteIfExists(folder.resolve("table.csv"));
    Files.deleteIfExists(folder.resolve("table.tsv"));
    Files.delete(folder);
  }

  @Provide
  Arbitrary<DataTable> tables() {
    Arbitrary<String> any =
        Arbitraries.strings()
            .ofMaxLength(6)
            .filter(s -> s.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(s));
    Arbitrary<String> nasty =
        Arbitraries.strings().withChars("a\",;\t| \r\n#'\uFEFF\u2028é").ofMaxLength(6);
    Arbitrary<String> cell = Arbitraries.oneOf(any, nasty);
    return Arbitraries.integers()
        .between(1, 4)
        .flatMap(
            columns ->
                Combinators.combine(
                        cell.filter(s -> !s.isEmpty()).list().ofSize(columns).uniqueElements(),
                        cell.list().ofSize(columns).list().ofMinSize(1).ofMaxSize(5))
                    .as(DataTable::of));
  }

  @Property(tries = 200, shrinking = ShrinkingMode.BOUNDED)
  void everyTableComesBack(@ForAll("tables") DataTable table) throws IOException {
    for (char separator : new char[] {',', '\t', ';', '|', ' ', '\u00A7'}) {
      Path file = folder.resolve("table.csv");
      Files.deleteIfExists(file); // a new file is faster than an emptied one
      try (Writer out = Files.newBufferedWriter(file)) {
        table.write(out, separator);
      }
      assertSame(table, file, separator);
    }
  }

  @Property(tries = 30, shrinking = ShrinkingMode.BOUNDED)
  void everyFileComesBack(@ForAll("tables") DataTable table) throws IOException {
    table.write(folder.resolve("table.csv"));
    assertSame(table, folder.resolve("table.csv"), ',');
    table.write(folder.resolve("table.tsv"));
    assertSame(table, folder.resolve("table.tsv"), '\t');
  }

  private static void assertSame(DataTable table, Path file, char separator) throws IOException {
    DataTable read = DataTable.read(file, new TableFormat(separator, Header.YES));
    assertThat(read.columns()).isEqualTo(table.columns());
    List<List<String>> cells = DataTableFuzzTest.cells(read);
    assertThat(cells).isEqualTo(DataTableFuzzTest.cells(table));
  }
}
