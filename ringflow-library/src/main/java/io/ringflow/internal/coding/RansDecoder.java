package io.ringflow.internal.coding;

import io.ringflow.core.CompressedFormatException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Decodes the bytes of a {@link RansEncoder}, first symbol first.
 *
 * <p>Throws {@link CompressedFormatException} wrapped in an unchecked exception, because a model's
 * callback calls it.
 */
final class RansDecoder {
  private final ByteBuffer words;
  private long state;

  /**
   * Reads the first state.
   *
   * @param bytes exactly those of one {@link RansEncoder#finish}
   */
  RansDecoder(ByteBuffer bytes) {
    words = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (words.remaining() < Long.BYTES || words.remaining() % Integer.BYTES != 0) {
      throw damaged("a block cannot have " + words.remaining() + " bytes");
    }
    state = words.getLong();
    if (state < RansEncoder.MIN_STATE) {
      throw damaged("a block begins in an impossible state");
    }
  }

  /** A cumulative frequency that the next symbol covers. */
  int slot() {
    return (int) (state & (Cumulative.TOTAL - 1));
  }

  /** Removes the next symbol, which covers {@link #slot}. */
  void pop(int start, int frequency) {
    state = frequency * (state >>> Cumulative.TOTAL_BITS) + slot() - start;
    if (state < RansEncoder.MIN_STATE) {
      if (!words.hasRemaining()) {
        throw damaged("a block ends too early");
      }
      state = (state << 32) | Integer.toUnsignedLong(words.getInt());
    }
  }

  /** Checks that every symbol has been removed. */
  void finish() {
    if (words.hasRemaining() || state != RansEncoder.MIN_STATE) {
      throw damaged("a block does not end with its last symbol");
    }
  }

  private static UncheckedIOException damaged(String how) {
    return new UncheckedIOException(CompressedFormatException.damaged(how));
  }
}
