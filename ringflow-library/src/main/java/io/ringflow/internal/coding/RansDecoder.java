package io.ringflow.internal.coding;

import io.ringflow.core.CompressedFormatException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads back what {@link RansEncoder} wrote, first symbol first.
 *
 * <p>Throws its {@link CompressedFormatException}s unchecked, because it is asked from within a
 * model's callback.
 */
final class RansDecoder {
  private final ByteBuffer words;
  private long state;

  /**
   * Begins to read.
   *
   * @param bytes all of what an encoder finished, and nothing else
   */
  RansDecoder(ByteBuffer bytes) {
    words = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (words.remaining() < Long.BYTES || words.remaining() % Integer.BYTES != 0) {
      throw damaged("a block of " + words.remaining() + " bytes is not one");
    }
    state = words.getLong();
    if (state < RansEncoder.MIN_STATE) {
      throw damaged("a block begins in a state that none is in");
    }
  }

  /** A place within the share of the symbol that comes next. */
  int slot() {
    return (int) (state & (Cumulative.TOTAL - 1));
  }

  /** Takes the symbol off whose share {@link #slot} lies in. */
  void pop(int start, int frequency) {
    state = frequency * (state >>> Cumulative.TOTAL_BITS) + slot() - start;
    if (state < RansEncoder.MIN_STATE) {
      if (!words.hasRemaining()) {
        throw damaged("a block ends too early");
      }
      state = (state << 32) | Integer.toUnsignedLong(words.getInt());
    }
  }

  /** Checks that all has been read. */
  void finish() {
    if (words.hasRemaining() || state != RansEncoder.MIN_STATE) {
      throw damaged("a block does not end with its last symbol");
    }
  }

  private static UncheckedIOException damaged(String how) {
    return new UncheckedIOException(CompressedFormatException.damaged(how));
  }
}
