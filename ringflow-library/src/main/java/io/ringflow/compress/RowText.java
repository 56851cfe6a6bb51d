package io.ringflow.compress;

import java.util.Arrays;

/**
 * The bytes of a row as they are put together, cell after cell.
 *
 * <p>Every cell of a file passes here, the first ones before Java has compiled anything: so there
 * are plain loops over one array, and no strings, whose methods would be compiled too.
 */
final class RowText {
  private static final int MAX_DIGITS = 20; // of a long, and a zero before the point

  private byte[] bytes = new byte[256];
  private int size;

  void clear() {
    size = 0;
  }

  int size() {
    return size;
  }

  /** The first {@link #size} are the row; borrowed. */
  byte[] bytes() {
    return bytes;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }

  /** Adds a byte. */
  void add(byte next) {
    reserve(1);
    bytes[size++] = next;
  }

  /**
   * Adds a text of Latin-1.
   *
   * @param quoted whether quotes in it are doubled
   */
  void add(String text, boolean quoted) {
    int length = text.length();
    reserve(2 * length);
    for (int i = 0; i < length; i++) {
      byte next = (byte) text.charAt(i);
      bytes[size++] = next;
      if (quoted && next == '"') {
        bytes[size++] = next;
      }
    }
  }

  /**
   * Adds a number with some of its decimals.
   *
   * @param scale how many digits of the value are decimals
   * @param decimals how many of them are written, at most as many
   */
  void add(long value, int scale, int decimals) {
    long shown = value;
    for (int i = decimals; i < scale; i++) {
      shown /= 10;
    }
    reserve(2 + decimals + MAX_DIGITS);
    if (shown < 0) {
      bytes[size++] = '-';
    }
    int digits = decimals + 1;
    for (long rest = shown / 10, count = 1; rest != 0; rest /= 10) {
      digits = Math.max(digits, (int) ++count);
    }
    int end = size + digits + (decimals > 0 ? 1 : 0);
    long rest = shown;
    for (int at = end - 1, written = 0; written < digits; at--, written++) {
      if (decimals > 0 && written == decimals) {
        bytes[at--] = '.';
      }
      bytes[at] = (byte) ('0' + Math.abs(rest % 10));
      rest /= 10;
    }
    size = end;
  }
}
