package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The lines that are no rows, and the cells that no symbol stands for, as {@link TablePart} made
 * them.
 */
final class EscapedTexts {
  private final byte[] bytes;
  private final int lineEnd; // of all lines
  private final int[] begins; // of the columns' next cells
  private final int[] left;
  private int at;

  /**
   * Reads texts.
   *
   * @param bytes lines, then cells
   * @param lineBytes how many are lines
   * @param counts of each column's cells
   */
  EscapedTexts(byte[] bytes, int lineBytes, int[] counts) throws CompressedFormatException {
    this.bytes = bytes;
    lineEnd = lineBytes;
    left = counts.clone();
    begins = new int[counts.length];
    int place = lineBytes;
    for (int c = 0; c < counts.length; c++) {
      begins[c] = place;
      for (int i = 0; i < counts[c]; i++) {
        place = next(place, bytes.length);
      }
    }
    if (place != bytes.length) {
      throw CompressedFormatException.damaged("cells are left over");
    }
  }

  /** Where the text behind the next line end begins, or the end. */
  private int next(int from, int end) {
    int place = from;
    while (place < end && bytes[place] != '\n') {
      place++;
    }
    return Math.min(end, place + 1);
  }

  /** The next line. */
  byte[] line() {
    int begin = at;
    at = next(at, lineEnd);
    if (at == begin) {
      throw missing("line");
    }
    return Arrays.copyOfRange(bytes, begin, at);
  }

  /** All lines that are left. */
  byte[] restOfLines() {
    byte[] rest = Arrays.copyOfRange(bytes, at, lineEnd);
    at = lineEnd;
    return rest;
  }

  /** The next cell of a column. */
  String cell(int column) {
    int begin = begins[column];
    int end = next(begin, bytes.length);
    if (left[column]-- == 0 || end == begin || bytes[end - 1] != '\n') {
      throw missing("cell");
    }
    begins[column] = end;
    String text = new String(bytes, begin, end - 1 - begin, StandardCharsets.ISO_8859_1);
    if (text.indexOf('\\') < 0) {
      return text;
    }
    var plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      if (next == '\\' && i + 1 < text.length()) {
        i++;
        next = text.charAt(i) == 'n' ? '\n' : text.charAt(i);
      }
      plain.append(next);
    }
    return plain.toString();
  }

  /** Checks that all cells were read. */
  void finish() throws CompressedFormatException {
    if (Arrays.stream(left).anyMatch(count -> count != 0)) {
      throw CompressedFormatException.damaged("cells are left over");
    }
  }

  private static UncheckedIOException missing(String what) {
    return new UncheckedIOException(CompressedFormatException.damaged("a " + what + " is missing"));
  }
}
