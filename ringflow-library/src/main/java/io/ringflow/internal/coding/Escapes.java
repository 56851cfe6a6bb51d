package io.ringflow.internal.coding;

import io.ringflow.core.CompressedFormatException;

/**
 * The bytes of a text that are no symbol of its vocabulary, with their places between the symbols.
 *
 * <pre>
 *   number of runs; for each run: symbols since the run before, length; then the bytes of all runs
 * </pre>
 */
final class Escapes {
  /** The most that one escaped byte takes: a run's two numbers and the byte. */
  private static final int MAX_BYTES_A_BYTE = 11;

  private final ByteWriter numbers = new ByteWriter();
  private final ByteWriter raw = new ByteWriter();
  private int runs;
  private int lastSymbol;
  private int open; // length of the run that may still grow

  /**
   * Adds bytes, to the run before if no symbol lies between.
   *
   * @param symbols how many symbols come before the bytes
   */
  void add(int symbols, byte[] bytes, int from, int length) {
    if (symbols != lastSymbol) {
      close();
    }
    if (open == 0) {
      numbers.number(symbols - lastSymbol);
      lastSymbol = symbols;
      runs++;
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

  /** All runs, deflated; an empty array if there is none. */
  byte[] finish() {
    close();
    if (runs == 0) {
      return new byte[0];
    }
    var all = new ByteWriter();
    all.number(runs);
    all.bytes(numbers.toBytes());
    all.bytes(raw.toBytes());
    return Deflated.of(all.toBytes());
  }

  /** Reads the bytes of {@link #finish}, run by run. */
  static final class Reader {
    private final ByteReader numbers;
    private final byte[] plain;
    private int left;
    private int nextSymbol;
    private int nextLength;
    private int at;

    /**
     * Inflates and checks the runs.
     *
     * @param symbols how many symbols the text has
     * @param max the largest number of escaped bytes allowed
     */
    Reader(byte[] deflated, int symbols, int max) throws CompressedFormatException {
      plain =
          deflated.length == 0
              ? new byte[] {0}
              : Deflated.inflate(deflated, 5 + (long) MAX_BYTES_A_BYTE * max);
      at = plain.length - check(symbols, max);
      numbers = new ByteReader(plain);
      left = numbers.number("runs", plain.length);
      advance();
    }

    /** Returns how many bytes all runs have. */
    private int check(int symbols, int max) throws CompressedFormatException {
      var in = new ByteReader(plain);
      int runs = in.number("runs", plain.length);
      int lastSymbol = 0;
      int bytes = 0;
      for (int i = 0; i < runs; i++) {
        lastSymbol += in.number("symbols between runs", symbols - lastSymbol);
        bytes += in.number("bytes of runs", max - bytes);
      }
      if (in.remaining() != bytes) {
        throw CompressedFormatException.damaged(
            "runs have " + bytes + " bytes, but " + in.remaining() + " follow");
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

    /** How many escaped bytes are still to be written. */
    int bytesLeft() {
      return plain.length - at;
    }

    /** Writes the bytes that follow a number of symbols. */
    void write(int symbols, ByteWriter out) throws CompressedFormatException {
      while (nextSymbol == symbols) {
        out.bytes(plain, at, nextLength);
        at += nextLength;
        advance();
      }
    }
  }
}
