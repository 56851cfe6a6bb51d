package io.ringflow.paper.corpus;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringflow.core.DataFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of symbols that are written as numbers, one row a line.
 *
 * <p>Numbers are separated by a comma, by blanks (spaces and tabs), or by both; blanks may also
 * stand before the first and after the last. Lines end in a newline, with or without a carriage
 * return. Lines of nothing but blanks are skipped. All rows have the same length.
 */
public final class SymbolRows {
  /** The largest symbol there may be: a larger number is an amount, not a symbol. */
  public static final int MAX_VALUE = 1_000_000;

  private static final int MAX_SHOWN_LENGTH = 24;

  // What files begin with, one character a byte.
  private static final String BYTE_ORDER_MARK = "\u00EF\u00BB\u00BF";
  private static final String GZIP = "\u001F\u008B";
  private static final String XZ = "\u00FD7zXZ\0";

  private final Path file;
  private final int largest;
  private int line;

  private SymbolRows(Path file, int largest) {
    this.file = file;
    this.largest = largest;
  }

  /**
   * Reads rows of symbols up to {@link #MAX_VALUE}.
   *
   * @see #read(Path, int)
   */
  public static int[][] read(Path file) throws IOException {
    return read(file, MAX_VALUE);
  }

  /**
   * Reads rows of the symbols {@code 0 … largest}.
   *
   * @param file plain text, which is held in memory; a compressed file is refused
   * @param largest 0 to {@link #MAX_VALUE}
   * @return at least one row, and at least one symbol in each
   * @throws DataFormatException if the file is missing or compressed, has no rows or rows of
   *     different lengths, or if something in it is no symbol
   * @throws IOException if the disk refuses
   */
  public static int[][] read(Path file, int largest) throws IOException {
    if (largest < 0 || largest > MAX_VALUE) {
      throw new IllegalArgumentException(
          "largest must be in 0.." + MAX_VALUE + ", but is " + largest);
    }
    String text = new String(Files.readAllBytes(DataFile.require(file)), ISO_8859_1);
    if (text.isEmpty()) {
      throw new DataFormatException(file, "is empty");
    }
    if (text.startsWith(GZIP)) {
      throw new DataFormatException(file, "is compressed by gzip; unpack it first, with gunzip");
    }
    if (text.startsWith(XZ)) {
      throw new DataFormatException(file, "is compressed by xz; unpack it first, with unxz");
    }
    int start = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length() : 0;
    return new SymbolRows(file, largest).rows(text, start);
  }

  private int[][] rows(String text, int start) throws DataFormatException {
    List<int[]> rows = new ArrayList<>();
    int firstLine = 0;
    for (int from = start, end; from < text.length(); from = end + 1) {
      int newline = text.indexOf('\n', from);
      end = newline < 0 ? text.length() : newline;
      line++;
      int[] row = row(text.substring(from, end));
      if (row.length > 0) {
        firstLine = rows.isEmpty() ? line : firstLine;
        rows.add(row);
        if (row.length != rows.get(0).length) {
          throw new DataFormatException(
              file,
              String.format(
                  "line %d has %s, but line %d has %d",
                  line, count(row.length), firstLine, rows.get(0).length));
        }
      }
    }
    if (rows.isEmpty()) {
      throw new DataFormatException(file, "has no rows");
    }
    return rows.toArray(int[][]::new);
  }

  private int[] row(String text) throws DataFormatException {
    int length = text.endsWith("\r") ? text.length() - 1 : text.length();
    int alone = text.indexOf('\r');
    if (alone >= 0 && alone < length) { // two lines of an old file would be joined to one row
      throw wrong(alone, "a carriage return must be followed by a newline");
    }
    int[] row = new int[(length + 1) / 2]; // two symbols have something between them
    int columns = 0;
    boolean comma = false; // since the last symbol
    for (int at = 0, end; at < length; at = end) {
      end = at + 1;
      if (text.charAt(at) == ',') {
        if (comma || columns == 0) {
          throw wrong(at, "no symbol before the comma");
        }
        comma = true;
      } else if (!separates(text.charAt(at))) {
        while (end < length && !separates(text.charAt(end))) {
          end++;
        }
        row[columns++] = symbol(text, at, end);
        comma = false;
      }
    }
    if (comma) {
      throw wrong(length, "no symbol after the last comma");
    }
    return Arrays.copyOf(row, columns);
  }

  private static boolean separates(char c) {
    return c == ',' || c == ' ' || c == '\t';
  }

  private int symbol(String text, int start, int end) throws DataFormatException {
    int value = 0;
    boolean digits = true;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      digits &= c >= '0' && c <= '9';
      // One above the largest stands for all that are too large.
      value = Math.min(10 * value + c - '0', largest + 1);
    }
    if (digits && value <= largest) {
      return value;
    }
    String shown =
        new String(
                text.substring(start, Math.min(end, start + MAX_SHOWN_LENGTH)).getBytes(ISO_8859_1),
                UTF_8)
            .replaceAll("\\p{C}", "?");
    String why =
        digits
            ? "is too large; the largest symbol is " + largest
            : shown.matches("-[0-9]+")
                ? "is negative; symbols count from 0"
                : "is not a whole number";
    throw wrong(start, "'" + shown + (end - start > MAX_SHOWN_LENGTH ? "…" : "") + "' " + why);
  }

  /** Such as {@code 1 symbol}. */
  static String count(int symbols) {
    return symbols + (symbols == 1 ? " symbol" : " symbols");
  }

  private DataFormatException wrong(int position, String what) {
    return new DataFormatException(
        file, String.format("line %d, column %d: %s", line, position + 1, what));
  }
}
