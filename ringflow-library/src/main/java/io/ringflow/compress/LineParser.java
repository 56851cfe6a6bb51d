package io.ringflow.compress;

import java.nio.charset.StandardCharsets;

/**
 * Takes lines apart into cells, such that cells, whether they were quoted, and the line's end give
 * back its bytes. What is not such a line is left as it is.
 */
final class LineParser {
  /** So that an open quote is not followed to the end of the file, again and again. */
  private static final int MAX_QUOTED = 1 << 12;

  private static final byte[] SEPARATORS = {',', '\t', ';', '|'};
  private static final int LINES_TO_TRY = 200;

  /** How a line ends. */
  enum End {
    LF("\n"),
    CRLF("\r\n"),
    NONE("");

    private final String text;

    End(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  private final byte[] bytes;
  private final byte separator;
  private final int columns;
  private final int[] begins; // of the cells of a line
  private final int[] ends;
  private final boolean[] quoted;
  private final boolean[] doubled; // cells with quotes in them
  private End end = End.LF;
  private int at;

  LineParser(byte[] bytes, byte separator, int columns) {
    this.bytes = bytes;
    this.separator = separator;
    this.columns = columns;
    begins = new int[columns];
    ends = new int[columns];
    quoted = new boolean[columns];
    doubled = new boolean[columns];
  }

  /** The separator by which most of the first lines have so many cells. */
  static byte separator(byte[] bytes, int columns) {
    byte best = SEPARATORS[0];
    int bestLines = 0;
    for (byte candidate : SEPARATORS) {
      var parser = new LineParser(bytes, candidate, columns);
      int lines = 0;
      for (int i = 0; i < LINES_TO_TRY && !parser.isAtEnd(); i++) {
        lines += parser.next() ? 1 : 0;
      }
      if (lines > bestLines) {
        best = candidate;
        bestLines = lines;
      }
    }
    return best;
  }

  boolean isAtEnd() {
    return at == bytes.length;
  }

  /** Where the next line begins. */
  int position() {
    return at;
  }

  /** Goes on behind the next line; false if it has not so many cells. */
  boolean next() {
    int begin = at;
    if (cells()) {
      return true;
    }
    at = begin;
    while (at < bytes.length && bytes[at] != '\n') {
      at++;
    }
    at = Math.min(bytes.length, at + 1);
    return false;
  }

  private boolean cells() {
    for (int column = 0; column < columns; column++) {
      quoted[column] = at < bytes.length && bytes[at] == '"';
      if (quoted[column] ? !quotedCell(column) : !plainCell(column)) {
        return false;
      }
      boolean last = column == columns - 1;
      if (!last && (at == bytes.length || bytes[at++] != separator)) {
        return false;
      }
    }
    if (at == bytes.length) {
      end = End.NONE;
      return true;
    }
    end = bytes[at] == '\r' ? End.CRLF : End.LF;
    at += end.text.length();
    return at <= bytes.length && bytes[at - 1] == '\n';
  }

  private boolean plainCell(int column) {
    int begin = at;
    while (at < bytes.length && bytes[at] != separator && bytes[at] != '\n') {
      at++;
    }
    boolean returned =
        at > begin && at < bytes.length && bytes[at] == '\n' && bytes[at - 1] == '\r';
    at -= returned ? 1 : 0;
    begins[column] = begin;
    ends[column] = at;
    doubled[column] = false;
    return true;
  }

  private boolean quotedCell(int column) {
    int begin = ++at;
    int limit = (int) Math.min(bytes.length, begin + (long) MAX_QUOTED);
    doubled[column] = false;
    while (at < limit) {
      if (bytes[at] == '"') {
        if (at + 1 == bytes.length || bytes[at + 1] != '"') {
          begins[column] = begin;
          ends[column] = at;
          at++;
          return true;
        }
        doubled[column] = true;
        at++;
      }
      at++;
    }
    return false;
  }

  /** The text of a cell, in the form of Latin-1. */
  String cell(int column) {
    String cell =
        new String(
            bytes, begins[column], ends[column] - begins[column], StandardCharsets.ISO_8859_1);
    return doubled[column] ? cell.replace("\"\"", "\"") : cell;
  }

  /** Where a cell begins, without its quote. */
  int begin(int column) {
    return begins[column];
  }

  /** Where a cell ends, without its quote. */
  int end(int column) {
    return ends[column];
  }

  /** Whether a cell has quotes in it, which are doubled there. */
  boolean isDoubled(int column) {
    return doubled[column];
  }

  boolean isQuoted(int column) {
    return quoted[column];
  }

  End end() {
    return end;
  }
}
