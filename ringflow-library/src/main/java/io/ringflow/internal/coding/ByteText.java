package io.ringflow.internal.coding;

import io.ringflow.core.CompressedFormatException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Any bytes as a model's symbols, and back: the characters of a vocabulary wherever they stand in
 * UTF-8, or every byte a symbol of its own.
 *
 * <p>What is no character of the vocabulary (another one, or bytes that are not UTF-8) is kept
 * apart, with the number of symbols before it, and leaves no trace among them. So bytes that have
 * nothing to do with the vocabulary cost a model nothing. Immutable.
 */
public final class ByteText {
  /** Bytes, taken apart: symbols, and the escaped bytes between them. */
  public static final class Parts {
    private final char[] symbols;
    private final byte[] escapes;

    public Parts(char[] symbols, byte[] escapes) {
      this.symbols = symbols;
      this.escapes = escapes;
    }

    /** Not to be changed. */
    public char[] symbols() {
      return symbols;
    }

    /** Not to be changed. */
    public byte[] escapes() {
      return escapes;
    }
  }

  private final IntUnaryOperator ids; // of code points, -1 for none; null if every byte is a symbol
  private final byte[][] spellings; // of each symbol; of no bytes where none stand for it

  private ByteText(IntUnaryOperator ids, byte[][] spellings) {
    this.ids = ids;
    this.spellings = spellings;
  }

  /**
   * The characters of a vocabulary, or all bytes.
   *
   * @param bytes whether every byte is a symbol; the vocabulary does not matter then
   * @param codePoints of the symbols; -1 for one that no character stands for
   * @param ids the symbol of each code point; -1 for none
   */
  public static ByteText of(boolean bytes, int[] codePoints, IntUnaryOperator ids) {
    return bytes
        ? ofBytes()
        : new ByteText(
            ids, Arrays.stream(codePoints).mapToObj(ByteText::spelling).toArray(byte[][]::new));
  }

  /** Every byte is a symbol, 0 to 255. */
  private static ByteText ofBytes() {
    return new ByteText(
        null,
        IntStream.range(0, 256).mapToObj(id -> new byte[] {(byte) id}).toArray(byte[][]::new));
  }

  private static byte[] spelling(int codePoint) {
    return codePoint < 0
        ? new byte[0]
        : Character.toString(codePoint).getBytes(StandardCharsets.UTF_8);
  }

  /** The bytes of each symbol; none where no bytes stand for it. Not to be changed. */
  public byte[][] spellings() {
    return spellings;
  }

  /** How many symbols there are. */
  public int symbols() {
    return spellings.length;
  }

  /**
   * What bytes consist of.
   *
   * @param symbols how many there are
   * @param unknownBytes how many bytes are none
   */
  public record Count(long symbols, long unknownBytes) {}

  /** Counts symbols, and the bytes that are none. */
  public Count count(byte[] bytes) {
    char[] symbols = parts(bytes).symbols();
    long known = 0;
    for (char symbol : symbols) {
      known += spellings[symbol].length;
    }
    return new Count(symbols.length, bytes.length - known);
  }

  public Parts parts(byte[] bytes) {
    char[] symbols = new char[bytes.length];
    var escapes = new Escapes();
    int count = 0;
    for (int at = 0; at < bytes.length; ) {
      int codePoint = ids == null ? bytes[at] & 0xFF : Utf8.codePoint(bytes, at);
      int length = ids == null || codePoint < 0 ? 1 : Utf8.length(codePoint);
      int id = ids == null ? codePoint : codePoint < 0 ? -1 : ids.applyAsInt(codePoint);
      if (id >= 0) {
        symbols[count++] = (char) id;
      } else {
        escapes.add(count, bytes, at, length);
      }
      at += length;
    }
    return new Parts(Arrays.copyOf(symbols, count), escapes.finish());
  }

  /**
   * The bytes again.
   *
   * @param length how many there must be
   */
  public byte[] bytes(Parts parts, int length) throws CompressedFormatException {
    char[] symbols = parts.symbols;
    var escapes = new Escapes.Reader(parts.escapes, symbols.length, length);
    long found = escapes.bytesLeft();
    for (char symbol : symbols) {
      found += spellings[symbol].length;
      if (spellings[symbol].length == 0) {
        throw CompressedFormatException.damaged("symbol " + (int) symbol + " is no character");
      }
    }
    if (found != length) {
      throw CompressedFormatException.damaged("holds " + found + " bytes instead of " + length);
    }
    var out = new ByteWriter();
    for (int i = 0; i < symbols.length; i++) {
      escapes.write(i, out);
      out.bytes(spellings[symbols[i]]);
    }
    escapes.write(symbols.length, out);
    return out.toBytes();
  }
}
