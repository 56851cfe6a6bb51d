package io.ringflow.internal.coding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes symbols at the cost of their probabilities, the last one first: range asymmetric numeral
 * systems (Duda 2013) with a state of 64 bits and words of 32.
 *
 * <p>A symbol is a share of {@link Cumulative#TOTAL}: where it starts, and how much it is. All that
 * has been pushed is one number x, and pushing a share of f makes it {@code x * TOTAL / f} but for
 * rounding, which costs less than a ten-thousandth of what the symbol does.
 */
public final class RansEncoder {
  /** The state is never below: it starts here, and {@link RansDecoder} must end here. */
  static final long MIN_STATE = 1L << 31;

  private long state = MIN_STATE;
  private int[] words = new int[256];
  private int count;

  /**
   * Puts a symbol before all that were pushed.
   *
   * @param start of its share, from 0
   * @param frequency its share, at least 1
   */
  void push(int start, int frequency) {
    if (frequency == Cumulative.TOTAL) {
      return; // it goes without saying, and its limit would not fit
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

  /** What was pushed, in the order it will be popped in: the state, then words. */
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
