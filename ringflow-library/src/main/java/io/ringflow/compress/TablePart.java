package io.ringflow.compress;

import io.ringflow.compress.LineParser.End;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A part of a file: rows of cells, and between them lines that are none. */
final class TablePart {
  /** Rows that are learned from together; reading one takes those of its part before it. */
  static final int MAX_ROWS = 1 << 14;

  private static final int MAX_BYTES = 1 << 25;

  private final List<CellColumn.Cell[]> rows = new ArrayList<>();
  private final List<byte[]> quoted = new ArrayList<>();
  private final List<End> ends = new ArrayList<>();
  private final List<Integer> linesBefore = new ArrayList<>(); // for each row
  private final List<List<String>> escapes = new ArrayList<>(); // of each column
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
  private int lineCount;
  private int begin;
  private int end;

  private TablePart() {}

  /** Reads lines up to the next part's, or the end. */
  static TablePart read(LineParser parser, byte[] bytes, List<CellColumn> columns, int maxRows) {
    var part = new TablePart();
    columns.forEach(column -> part.escapes.add(new ArrayList<>()));
    part.begin = parser.position();
    int before = 0;
    while (!parser.isAtEnd()
        && part.rows.size() < maxRows
        && parser.position() - part.begin < MAX_BYTES) {
      int from = parser.position();
      if (parser.next() && part.add(parser, bytes, columns)) {
        part.linesBefore.add(before);
        before = 0;
      } else {
        before += part.addLines(bytes, from, parser.position());
      }
    }
    part.end = parser.position();
    return part;
  }

  /** Adds a row; not if most of its cells are unknown, such as a header's. */
  private boolean add(LineParser parser, byte[] bytes, List<CellColumn> columns) {
    var cells = new CellColumn.Cell[columns.size()];
    int unknown = 0;
    for (int c = 0; c < cells.length; c++) {
      CellColumn column = columns.get(c);
      cells[c] =
          parser.isDoubled(c)
              ? column.find(parser.cell(c))
              : column.find(bytes, parser.begin(c), parser.end(c));
      unknown += cells[c].rank() < 0 ? 1 : 0;
    }
    if (2 * unknown > cells.length) {
      return false;
    }
    byte[] marks = new byte[cells.length];
    for (int c = 0; c < cells.length; c++) {
      marks[c] = (byte) (parser.isQuoted(c) ? 1 : 0);
      if (cells[c].rank() < 0) {
        escapes.get(c).add(parser.cell(c));
      }
    }
    rows.add(cells);
    quoted.add(marks);
    ends.add(parser.end());
    return true;
  }

  /** Adds lines, several where a quoted cell has some; returns how many. */
  private int addLines(byte[] bytes, int from, int to) {
    int count = bytes[to - 1] == '\n' ? 0 : 1;
    for (int i = from; i < to; i++) {
      count += bytes[i] == '\n' ? 1 : 0;
    }
    lines.write(bytes, from, to - from);
    lineCount += count;
    return count;
  }

  /** The cells of some rows, column by column. */
  TableBlock block(int from, int to) {
    var block = new TableBlock(to - from, escapes.size());
    for (int row = 0; row < block.rows(); row++) {
      block.set(row, rows.get(from + row), quoted.get(from + row));
    }
    return block;
  }

  List<CellColumn.Cell[]> rows() {
    return rows;
  }

  End end(int row) {
    return ends.get(row);
  }

  int linesBefore(int row) {
    return linesBefore.get(row);
  }

  int lineCount() {
    return lineCount;
  }

  byte[] lines() {
    return lines.toByteArray();
  }

  /** Where the next part begins in the file. */
  int end() {
    return end;
  }

  /** How many bytes of the file it is. */
  int length() {
    return end - begin;
  }

  /** How many cells of a column are escaped. */
  int escapes(int column) {
    return escapes.get(column).size();
  }

  /** All escaped cells, column by column, each with a line end behind it. */
  byte[] escapes() {
    var out = new StringBuilder();
    for (List<String> column : escapes) {
      for (String cell : column) {
        out.append(cell.replace("\\", "\\\\").replace("\n", "\\n")).append('\n');
      }
    }
    return out.toString().getBytes(StandardCharsets.ISO_8859_1);
  }
}
