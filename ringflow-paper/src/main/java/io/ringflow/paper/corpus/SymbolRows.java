package io.ringflow.paper.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringflow.core.DataFormatException;
import io.ringflow.internal.store.Utf8File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of symbols that are written as numbers, one row a line.
 *
 * <p>Numbers stand apart by a comma, by blanks (spaces and tabs), or by both; blanks may also stand
 * before the first and after the last. Lines end in a newline, with or without a carriage return.
 * Lines of nothing but blanks are skipped. All rows have the same length.
 *
 * <p>Cost: one pass over the bytes, and four bytes of memory a symbol; about half a second for 50
 * MB.
 */
public final class SymbolRows {
  /** The largest symbol there may be: a larger number is an amount, not a symbol. */
  public static final int MAX_VALUE = 1_000_000;

  private static final int END = -1;
  private static final int BYTES_AT_A_TIME = 1 << 16;
  private static final int MAX_SHOWN_LENGTH = 24;
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final byte[] GZIP = {0x1F, (byte) 0x8B};
  private static final byte[] XZ = {(byte) 0xFD, '7', 'z', 'X', 'Z', 0};

  private final Path file;
  private final InputStream in;
  private final int largest;
  private final byte[] bytes = new byte[BYTES_AT_A_TIME];
  private final byte[] shown = new byte[MAX_SHOWN_LENGTH]; // how the symbol at hand begins
  private int at; // of the byte at hand
  private int end; // of the bytes that were read
  private long before; // bytes read before those
  private int[] row = new int[16]; // as long as rows are, from the first one on
  private int columns; // of the row at hand, more than fit included
  private int length = -1; // of all rows; -1 before the first
  private long firstLine;
  private long line = 1;
  private long lineStart;

  private SymbolRows(Path file, InputStream in, int largest) {
    this.file = file;
    this.in = in;
    this.largest = largest;
  }

  /**
   * Reads rows of symbols up to {@link #MAX_VALUE}.
   *
   * @param file plain text; a compressed file is refused
   * @return at least one row, and at least one symbol in each
   * @throws DataFormatException if the file is missing or compressed, has no rows or rows of
   *     different lengths, or if something in it is no symbol
   * @throws IOException if the disk refuses
   */
  public static int[][] read(Path file) throws IOException {
    return read(file, MAX_VALUE);
  }

  /**
   * Reads rows of the symbols {@code 0 … largest}.
   *
   * @param file plain text; a compressed file is refused
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
    try (InputStream in = Files.newInputStream(Utf8File.requireFile(file))) {
      return new SymbolRows(file, in, largest).rows();
    }
  }

  private int[][] rows() throws IOException {
    fill();
    requireUnpacked();
    if (startsWith(BYTE_ORDER_MARK)) {
      at = BYTE_ORDER_MARK.length;
      lineStart = at;
    }
    List<int[]> rows = new ArrayList<>();
    while (current() != END) {
      readLine();
      if (columns > 0) {
        requireSameLength();
        rows.add(row.clone());
      }
      if (current() == '\n') {
        advance();
        line++;
        lineStart = position();
      }
    }
    if (rows.isEmpty()) {
      throw new DataFormatException(file, end == 0 && before == 0 ? "is empty" : "has no rows");
    }
    return rows.toArray(int[][]::new);
  }

  private void requireUnpacked() throws DataFormatException {
    if (startsWith(GZIP)) {
      throw new DataFormatException(file, "is compressed by gzip; unpack it first, with gunzip");
    }
    if (startsWith(XZ)) {
      throw new DataFormatException(file, "is compressed by xz; unpack it first, with unxz");
    }
  }

  private boolean startsWith(byte[] start) {
    return end >= start.length && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
  }

  /** Reads up to the newline or the end. */
  private void readLine() throws IOException {
    columns = 0;
    boolean comma = false; // since the last symbol
    for (int b = current(); b != '\n' && b != END; b = current()) {
      if (b == ',') {
        if (comma || columns == 0) {
          throw wrong(position(), "no symbol before the comma");
        }
        comma = true;
        advance();
      } else if (isBlank(b)) {
        advance();
      } else if (b == '\r') {
        endLine();
      } else {
        add(symbol());
        comma = false;
      }
    }
    if (comma) {
      throw wrong(position(), "no symbol after the last comma");
    }
  }

  /** A carriage return alone would join two lines of an old file to one row. */
  private void endLine() throws IOException {
    long start = position();
    advance();
    if (current() != '\n' && current() != END) {
      throw wrong(start, "a carriage return must be followed by a newline");
    }
  }

  private int symbol() throws IOException {
    long start = position();
    int value = 0;
    int kept = 0;
    boolean digits = true;
    for (int b = current(); !endsSymbol(b); b = current()) {
      digits &= b >= '0' && b <= '9';
      // One above the largest stands for all that are too large.
      value = digits ? Math.min(10 * value + b - '0', largest + 1) : value;
      boolean symbol = digits && value <= largest;
      if (kept < shown.length) {
        shown[kept++] = (byte) b;
      } else if (!symbol) {
        throw noSymbol(start, digits, kept, "…"); // enough was seen of it, be it gigabytes
      }
      advance();
    }
    if (!digits || value > largest) {
      throw noSymbol(start, digits, kept, "");
    }
    return value;
  }

  private DataFormatException noSymbol(long start, boolean digits, int kept, String more) {
    String text = new String(shown, 0, kept, UTF_8).replaceAll("\\p{C}", "?");
    String why =
        digits
            ? "is too large; the largest symbol is " + largest
            : text.matches("-[0-9]+")
                ? "is negative; symbols count from 0"
                : "is not a whole number";
    return wrong(start, "'" + text + more + "' " + why);
  }

  private void add(int symbol) {
    if (length < 0 && columns == row.length) {
      row = Arrays.copyOf(row, 2 * columns);
    }
    if (columns < row.length) {
      row[columns] = symbol;
    }
    columns++;
  }

  private void requireSameLength() throws DataFormatException {
    if (length < 0) {
      length = columns;
      firstLine = line;
      row = Arrays.copyOf(row, length);
    }
    if (columns != length) {
      throw new DataFormatException(
          file,
          String.format(
              "line %d has %s, but line %d has %d", line, count(columns), firstLine, length));
    }
  }

  /** Such as {@code 1 symbol}. */
  static String count(int symbols) {
    return symbols + (symbols == 1 ? " symbol" : " symbols");
  }

  private DataFormatException wrong(long position, String what) {
    return new DataFormatException(
        file, String.format("line %d, column %d: %s", line, position - lineStart + 1, what));
  }

  private static boolean isBlank(int b) {
    return b == ' ' || b == '\t';
  }

  private static boolean endsSymbol(int b) {
    return b == ',' || isBlank(b) || b == '\n' || b == '\r' || b == END;
  }

  /** The byte at hand, or {@link #END}. */
  private int current() throws IOException {
    if (at == end) {
      fill();
    }
    return at < end ? bytes[at] & 0xFF : END;
  }

  /** Goes on behind the byte at hand, which must not be the end. */
  private void advance() {
    at++;
  }

  /** The number of bytes before the one at hand. */
  private long position() {
    return before + at;
  }

  private void fill() throws IOException {
    before += end;
    at = 0;
    end = in.readNBytes(bytes, 0, bytes.length);
  }
}
