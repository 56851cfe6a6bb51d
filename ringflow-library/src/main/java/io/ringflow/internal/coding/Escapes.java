package io.ringflow.internal.coding;

import io.ringflow.core.CompressedFormatException;

/**
 * Bytes between the symbols of a text that no symbol stands for.
 *
 * <pre>
 *   number of stretches, then for each: symbols since the one before, and its length; then all bytes
 * </pre>
 */
final class Escapes {
  /** Bytes of a stretch's two numbers and its first byte, at most. */
  private static final int MAX_BYTES_A_BYTE = 11;

  private final ByteWriter numbers = new ByteWriter();
  private final ByteWriter raw = new ByteWriter();
  private int stretches;
  private int lastSymbol;
  private int open; // length of the stretch that may still grow

  /**
   * Adds bytes.
   *
   * @param symbols how many come before them
   */
  void add(int symbols, byte[] bytes, int from, int length) {
    if (symbols != lastSymbol) {
      close();
    }
    if (open == 0) {
      numbers.number(symbols - lastSymbol);
      lastSymbol = symbols;
      stretches++;
    }
    open += length;
    raw.bytes(bytes, from, length);
  }

  private void close() {
    if (open > 0) {
      numbers.number(open);
      open = 0;
    }
  }

  /** All of them, deflated; no bytes if there are none. */
  byte[] finish() {
    close();
    if (stretches == 0) {
      return new byte[0];
    }
    var all = new ByteWriter();
    all.number(stretches);
    all.bytes(numbers.toBytes());
    all.bytes(raw.toBytes());
    return Deflated.of(all.toBytes());
  }

  /** Reads what {@link #finish} wrote, one stretch after the other. */
  static final class Reader {
    private final ByteReader numbers;
    private final byte[] plain;
    private int left;
    private int nextSymbol;
    private int nextLength;
    private int at;

    /**
     * Checks and begins.
     *
     * @param symbols how many there are
     * @param most bytes of all stretches
     */
    Reader(byte[] deflated, int symbols, int most) throws CompressedFormatException {
      plain =
          deflated.length == 0
              ? new byte[] {0}
              : Deflated.inflate(deflated, 5 + (long) MAX_BYTES_A_BYTE * most);
      at = plain.length - check(symbols, most);
      numbers = new ByteReader(plain);
      left = numbers.number("stretches", plain.length);
      advance();
    }

    /** All bytes of the stretches. */
    private int check(int symbols, int most) throws CompressedFormatException {
      var in = new ByteReader(plain);
      int stretches = in.number("stretches", plain.length);
      int lastSymbol = 0;
      int bytes = 0;
      for (int i = 0; i < stretches; i++) {
        lastSymbol += in.number("symbols between stretches", symbols - lastSymbol);
        bytes += in.number("bytes of stretches", most - bytes);
      }
      if (in.remaining() != bytes) {
        throw CompressedFormatException.damaged(
            "stretches have " + bytes + " bytes, but " + in.remaining() + " follow");
      }
      return bytes;
    }

    private void advance() throws CompressedFormatException {
      if (left-- > 0) {
        nextSymbol += numbers.number("symbols", Integer.MAX_VALUE);
        nextLength = numbers.number("bytes", Integer.MAX_VALUE);
      } else {
        nextSymbol = -1;
      }
    }

    /** Bytes that are still to come. */
    int bytesLeft() {
      return plain.length - at;
    }

    /** Writes what comes after so many symbols. */
    void write(int symbols, ByteWriter out) throws CompressedFormatException {
      while (nextSymbol == symbols) {
        out.bytes(plain, at, nextLength);
        at += nextLength;
        advance();
      }
    }
  }
}
