package io.ringflow.internal.coding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * An entropy coder, last symbol first: range asymmetric numeral systems (rANS, Duda 2013) with a
 * state of 64 bits and words of 32 bits.
 *
 * <p>A symbol is an interval of {@link Cumulative#TOTAL}: its start and its frequency. All pushed
 * symbols are one number x. Pushing a frequency f makes it {@code x * TOTAL / f} but for rounding,
 * which costs less than a ten-thousandth of the symbol.
 */
public final class RansEncoder {
  /**
   * The state is never smaller; it starts with this value, and {@link RansDecoder} ends with it.
   */
  static final long MIN_STATE = 1L << 31;

  private long state = MIN_STATE;
  private int[] words = new int[256];
  private int count;

  /**
   * Pushes a symbol, which will be decoded before all that were pushed.
   *
   * @param start its cumulative frequency, from 0
   * @param frequency at least 1
   */
  void push(int start, int frequency) {
    if (frequency == Cumulative.TOTAL) {
      return; // a certain symbol takes no space, and its limit would not fit
    }
    long limit = ((MIN_STATE >>> Cumulative.TOTAL_BITS) << 32) * frequency;
    if (state >= limit) {
      if (count == words.length) {
        words = Arrays.copyOf(words, 2 * count);
      }
      words[count++] = (int) state;
      state >>>= 32;
    }
    state = ((state / frequency) << Cumulative.TOTAL_BITS) + state % frequency + start;
  }

  /** The pushed symbols, in the order of decoding: the state, then the words. */
  public byte[] finish() {
    ByteBuffer bytes =
        ByteBuffer.allocate(Long.BYTES + Integer.BYTES * count).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(state);
    for (int i = count - 1; i >= 0; i--) {
      bytes.putInt(words[i]);
    }
    return bytes.array();
  }
}
