package io.ringflow.table;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import de.siegmar.fastcsv.reader.RecordType;
import io.ringflow.core.DataFormatException;
import io.ringflow.table.TableFormat.Header;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Reads a {@link DataTable}: adds each cell to its column as soon as it is parsed. */
final class TableReader extends AbstractBaseCsvCallbackHandler<Long> {
  /** The parser's limit in characters: a little more than the longest cell in quotes. */
  private static final int MAX_BUFFER = 1 << 18;

  /** The start of the parser's message when the text ends within quotes. */
  private static final String UNCLOSED = "Unclosed quoted field";

  private final List<TextColumn.Builder> columns = new ArrayList<>();
  private long rows;
  private long firstLine;

  private TableReader() {}

  static DataTable read(Path file, TableFormat format) throws IOException {
    char separator =
        format.separator() == null ? SeparatorDetection.detect(file) : (char) format.separator();
    var table = new TableReader();
    try (CsvReader<Long> lines = parser(separator).build(table, TableText.open(file))) {
      lines.forEach(row -> {}); // the callbacks below fill the columns
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (CsvParseException e) {
      throw new DataFormatException(file, table.reason(e), e);
    }
    return table.build(file, format.header());
  }

  /** The parser's settings, the same for reading and for the detection of the separator. */
  static CsvReader.CsvReaderBuilder parser(char separator) {
    return CsvReader.builder()
        .fieldSeparator(separator)
        .skipEmptyLines(true)
        .allowUnclosedQuote(false)
        .allowExtraCharsAfterClosingQuote(false)
        .detectBomHeader(false)
        // buildRecord reports these, with both lines.
        .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
        .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
        .maxBufferSize(MAX_BUFFER);
  }

  @Override
  protected void handleField(int index, char[] text, int offset, int length, boolean quoted) {
    if (length > DataTable.MAX_CELL_LENGTH) {
      throw new CsvParseException(tooLong());
    }
    if (index == columns.size() && rows == 0) {
      if (index == DataTable.MAX_COLUMNS) {
        throw new CsvParseException("more than " + DataTable.MAX_COLUMNS + " cells");
      }
      columns.add(new TextColumn.Builder());
    }
    if (index < columns.size()) {
      columns.get(index).add(new String(text, offset, length));
    }
  }

  /** Returns the number of rows so far; an empty line is no row. */
  @Override
  protected Long buildRecord() {
    if (getRecordType() == RecordType.EMPTY) {
      return rows;
    }
    if (rows == 0) {
      firstLine = getStartingLineNumber();
    }
    if (getFieldCount() != columns.size()) {
      throw new CsvParseException(
          cells(getFieldCount()) + ", but line " + firstLine + " has " + columns.size());
    }
    if ((rows + 1) * columns.size() > DataTable.MAX_CELLS) {
      throw new CsvParseException("more than " + DataTable.MAX_CELLS + " cells in all");
    }
    return ++rows;
  }

  private String reason(CsvParseException e) {
    String message = innermost(e);
    if (message.startsWith("The maximum buffer size")) {
      message = tooLong();
    } else if (message.startsWith(UNCLOSED)) {
      message = "a quote is not closed";
    } else if (message.startsWith("Unexpected character after closing quote")) {
      message = "after a closing quote there is neither a separator nor the end of the line";
    }
    return "line " + getStartingLineNumber() + ": " + message;
  }

  /** The parser wraps the message about a cell into one about its line. */
  private static String innermost(CsvParseException e) {
    Throwable innermost = e;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return String.valueOf(innermost.getMessage());
  }

  private static String tooLong() {
    return "a cell of more than "
        + DataTable.MAX_CELL_LENGTH
        + " characters; perhaps a quote is not closed";
  }

  private static String cells(int count) {
    return count == 1 ? "1 cell" : count + " cells";
  }

  private DataTable build(Path file, Header header) throws DataFormatException {
    boolean named = rows > 0 && (header == Header.YES || (header == Header.AUTO && looksNamed()));
    if (rows == (named ? 1 : 0)) {
      throw new DataFormatException(file, named ? "has a header, but no rows" : "has no rows");
    }
    List<String> names = DataTable.numbered(columns.size());
    if (named) {
      names = names(names);
      try {
        DataTable.requireNames(names);
      } catch (IllegalArgumentException e) {
        throw new DataFormatException(file, "line " + firstLine + ": " + e.getMessage(), e);
      }
    }
    return new DataTable(
        names, named, columns.stream().map(column -> column.build(named ? 1 : 0)).toList());
  }

  private boolean looksNamed() {
    var seen = new HashSet<String>();
    boolean anyName = columns.stream().anyMatch(column -> !column.first().isEmpty());
    return anyName
        && columns.stream()
            .allMatch(
                column ->
                    seen.add(column.first())
                        && Decimal.parse(column.first()) == null
                        && !column.firstRecurs());
  }

  /** The cells of the first line; an empty one is replaced by {@code column1}, …. */
  private List<String> names(List<String> numbered) {
    List<String> names = new ArrayList<>();
    for (TextColumn.Builder column : columns) {
      String name = column.first();
      names.add(name.isEmpty() ? numbered.get(names.size()) : name);
    }
    return List.copyOf(names);
  }

  /** Counts the cells of lines, to detect the separator. */
  static final class Widths extends AbstractBaseCsvCallbackHandler<Integer> {
    /** The numbers of cells in the first lines; empty if the separator does not fit the quotes. */
    static List<Integer> of(Reader text, char separator, int maxLines) {
      List<Integer> widths = new ArrayList<>();
      try (CsvReader<Integer> lines = parser(separator).build(new Widths(), text)) {
        for (Integer width : lines) {
          widths.add(width);
          if (widths.size() == maxLines) {
            break;
          }
        }
      } catch (CsvParseException e) {
        // The text may have been cut within quotes, whatever the separator.
        return innermost(e).startsWith(UNCLOSED) ? widths : List.of();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return widths;
    }

    @Override
    protected Integer buildRecord() {
      return getFieldCount();
    }
  }
}
