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

    byte[] bytes() {
      return text.getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  private final byte[] bytes;
  private final byte separator;
  private final String[] cells;
  private final boolean[] quoted;
  private End end = End.LF;
  private int at;

  LineParser(byte[] bytes, byte separator, int columns) {
    this.bytes = bytes;
    this.separator = separator;
    cells = new String[columns];
    quoted = new boolean[columns];
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
    for (int column = 0; column < cells.length; column++) {
      quoted[column] = at < bytes.length && bytes[at] == '"';
      if (quoted[column] ? !quotedCell(column) : !plainCell(column)) {
        return false;
      }
      boolean last = column == cells.length - 1;
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
    cells[column] = new String(bytes, begin, at - begin, StandardCharsets.ISO_8859_1);
    return true;
  }

  private boolean quotedCell(int column) {
    int begin = ++at;
    int limit = (int) Math.min(bytes.length, begin + (long) MAX_QUOTED);
    boolean doubled = false;
    while (at < limit) {
      if (bytes[at] == '"') {
        if (at + 1 == bytes.length || bytes[at + 1] != '"') {
          String cell = new String(bytes, begin, at - begin, StandardCharsets.ISO_8859_1);
          cells[column] = doubled ? cell.replace("\"\"", "\"") : cell;
          at++;
          return true;
        }
        doubled = true;
        at++;
      }
      at++;
    }
    return false;
  }

  String cell(int column) {
    return cells[column];
  }

  boolean isQuoted(int column) {
    return quoted[column];
  }

  End end() {
    return end;
  }
}
