package io.ringflow.table;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import de.siegmar.fastcsv.writer.QuoteStrategy;
import io.ringflow.internal.checks.Quotes;
import io.ringflow.internal.store.WholeFile;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Named columns and rows of cells, each a text as it was written; the empty text is a missing cell.
 * {@link TableCodec} makes symbols of it.
 *
 * <p>Files are comma-separated values as in RFC 4180, or with another separator: UTF-8, with or
 * without a byte order mark; lines end in a newline, a carriage return or both; a cell in double
 * quotes may hold separators, line ends and, doubled, quotes. Quotes inside a cell that does not
 * begin with one, and blanks, are plain characters. Empty lines are skipped.
 *
 * <p>Reading is strict and bounded: at most {@link #MAX_COLUMNS} columns, {@link #MAX_CELL_LENGTH}
 * characters in a cell and {@link #MAX_CELLS} cells. It takes one pass, and four bytes of memory a
 * cell beside each column's different texts.
 *
 * <p>Immutable, and safe for use by several threads.
 */
public final class DataTable {
  /** The maximum number of columns. */
  public static final int MAX_COLUMNS = 10_000;

  /** The maximum number of characters in a cell, in UTF-16 units as everywhere in Java. */
  public static final int MAX_CELL_LENGTH = 100_000;

  /** The maximum number of cells. */
  public static final int MAX_CELLS = 500_000_000;

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final List<String> columns;
  private final boolean named;
  private final List<TextColumn> cells;

  /**
   * A table of names and cells that were checked.
   *
   * @param named whether the columns' names were given, not numbered
   */
  DataTable(List<String> columns, boolean named, List<TextColumn> cells) {
    this.columns = columns;
    this.named = named;
    this.cells = cells;
  }

  /**
   * Reads a file whose separator and header are detected as {@link TableFormat} says.
   *
   * @param file plain text; a compressed file is refused
   * @return at least one column and one row
   * @throws io.ringflow.core.DataFormatException if the file is missing, compressed, damaged, too
   *     large or no table; the message has the line where that is known
   * @throws IOException if the disk refuses
   */
  public static DataTable read(Path file) throws IOException {
    return read(file, TableFormat.AUTO);
  }

  /**
   * Reads a file.
   *
   * @param file plain text; a compressed file is refused
   * @param format how the file is written, as far as that is known
   * @return at least one column and one row
   * @throws io.ringflow.core.DataFormatException if the file is missing, compressed, damaged, too
   *     large or no table; the message has the line where that is known
   * @throws IOException if the disk refuses
   */
  public static DataTable read(Path file, TableFormat format) throws IOException {
    return TableReader.read(file, format);
  }

  /**
   * Makes a table of cells.
   *
   * @param columns the columns' names: at least one, none empty, all different
   * @param rows the cells of each row, from 0 rows on; the empty text is a missing cell
   */
  public static DataTable of(List<String> columns, List<List<String>> rows) {
    requireNames(columns);
    List<TextColumn.Builder> cells = columns.stream().map(c -> new TextColumn.Builder()).toList();
    for (int i = 0; i < rows.size(); i++) {
      List<String> row = rows.get(i);
      if (row.size() != columns.size()) {
        throw new IllegalArgumentException(
            String.format(
                "row %d has %d cells, but there are %d columns", i, row.size(), columns.size()));
      }
      for (int column = 0; column < row.size(); column++) {
        cells.get(column).add(CellText.require("row " + i + ", cell " + column, row.get(column)));
      }
    }
    return new DataTable(
        List.copyOf(columns), true, cells.stream().map(column -> column.build(0)).toList());
  }

  /** Refuses no columns, too many, and names that are empty, equal or no cells. */
  static void requireNames(List<String> columns) {
    if (columns.isEmpty() || columns.size() > MAX_COLUMNS) {
      throw new IllegalArgumentException(
          "a table has 1 to " + MAX_COLUMNS + " columns, but this one has " + columns.size());
    }
    Set<String> seen = new HashSet<>();
    for (String name : columns) {
      if (!seen.add(CellText.requireName(name))) {
        throw new IllegalArgumentException("two columns are named " + Quotes.quoted(name));
      }
    }
  }

  /** The columns' names, all different. */
  public List<String> columns() {
    return columns;
  }

  /** Whether the names were given; otherwise they are {@code column1}, {@code column2}, …. */
  public boolean named() {
    return named;
  }

  /** The number of rows. */
  public int size() {
    return cells.get(0).size();
  }

  /** One cell, by row and column from 0; empty if it is missing. */
  public String cell(int row, int column) {
    Objects.checkIndex(row, size());
    return cells.get(column).cell(row);
  }

  /** The cells of a row, from 0. */
  public List<String> row(int row) {
    Objects.checkIndex(row, size());
    return cells.stream().map(column -> column.cell(row)).toList();
  }

  /**
   * A table of some rows, which shares the texts of this one.
   *
   * @param which rows, from 0, in their new order; one may occur several times
   */
  public DataTable rows(int[] which) {
    for (int row : which) {
      Objects.checkIndex(row, size());
    }
    return new DataTable(
        columns, named, cells.stream().map(column -> column.select(which)).toList());
  }

  /**
   * The same with columns of blank cells behind the others, for those of the names that are not
   * there; unchanged where columns have no given names.
   */
  DataTable withColumns(List<String> names) {
    List<String> lacking = names.stream().filter(name -> !columns.contains(name)).toList();
    if (!named || lacking.isEmpty()) {
      return this;
    }
    List<TextColumn> more = new ArrayList<>(cells);
    lacking.forEach(name -> more.add(new TextColumn(new String[] {""}, new int[size()])));
    return new DataTable(Stream.concat(columns.stream(), lacking.stream()).toList(), true, more);
  }

  /** All cells of a column, from 0. */
  TextColumn column(int column) {
    return cells.get(column);
  }

  /**
   * Writes a header and the rows, with quotes only where they are needed. Reading it with the same
   * separator and a header gives the same table. The writer is flushed, not closed.
   *
   * @param out where to
   * @param separator between two cells
   * @throws IOException if the writer refuses
   */
  public void write(Writer out, char separator) throws IOException {
    CsvWriter writer =
        CsvWriter.builder()
            .fieldSeparator(TableFormat.requireSeparator(separator))
            .lineDelimiter(LineDelimiter.LF)
            .quoteStrategy(new NeededQuotes(columns.size() == 1))
            .build(out);
    try {
      writer.writeRecord(columns);
      for (int row = 0; row < size(); row++) {
        writer.writeRecord(row(row));
      }
      writer.flush();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Writes a file, replacing it all at once: separated by tabs if its name ends in {@code .tsv},
   * otherwise by commas.
   *
   * @param file the file; its folder must exist
   * @throws IOException if the disk refuses; the old file, if any, then still stands
   */
  public void write(Path file) throws IOException {
    boolean tabs = file.toString().toLowerCase(Locale.ROOT).endsWith(".tsv");
    WholeFile.write(
        file,
        out -> {
          write(new OutputStreamWriter(out, StandardCharsets.UTF_8), tabs ? '\t' : ',');
          return size();
        });
  }

  /**
   * Besides separators, quotes and line ends: what a reader would skip, a mark or an empty line.
   */
  private record NeededQuotes(boolean singleColumn) implements QuoteStrategy {
    @Override
    public boolean quoteEmpty(int lineNo, int fieldIdx) {
      return singleColumn;
    }

    @Override
    public boolean quoteValue(int lineNo, int fieldIdx, String value) {
      return value.charAt(0) == BYTE_ORDER_MARK;
    }
  }

  /** Such as {@code 150 rows of 5 columns}. */
  @Override
  public String toString() {
    return count(size(), "row") + " of " + count(columns.size(), "column");
  }

  private static String count(int n, String what) {
    return n + " " + what + (n == 1 ? "" : "s");
  }

  /** The names of columns without given names. */
  static List<String> numbered(int columns) {
    return IntStream.rangeClosed(1, columns).mapToObj(i -> "column" + i).toList();
  }
}
