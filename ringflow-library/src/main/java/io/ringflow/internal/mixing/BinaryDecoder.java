package io.ringflow.internal.mixing;

import io.ringflow.core.CompressedFormatException;

/** Gives back the bits of a {@link BinaryEncoder}, by the same probabilities. */
final class BinaryDecoder {
  /** What a reader holds of the code before the bits that it decides. */
  private static final int AHEAD = Integer.BYTES;

  private final byte[] code;
  private int at;
  private int low;
  private int high = -1; // unsigned
  private int value;

  BinaryDecoder(byte[] code) {
    this.code = code;
    for (int i = 0; i < AHEAD; i++) {
      value = (value << 8) | nextByte();
    }
  }

  private int nextByte() {
    int next = at < code.length ? code[at] & 0xFF : 0;
    at++;
    return next;
  }

  /**
   * Reads a bit.
   *
   * @throws CompressedFormatException if the code has ended: no code takes up more bits than it has
   */
  int decode(int probability) throws CompressedFormatException {
    int split = BinaryEncoder.split(low, high, probability);
    int bit = Integer.compareUnsigned(value, split) <= 0 ? 1 : 0;
    if (bit == 1) {
      high = split;
    } else {
      low = split + 1;
    }
    while (BinaryEncoder.agree(low, high)) {
      low <<= 8;
      high = (high << 8) | 0xFF;
      value = (value << 8) | nextByte();
      if (at > code.length + AHEAD) {
        throw CompressedFormatException.damaged("its code ends too early");
      }
    }
    return bit;
  }

  /**
   * Checks that the code ends with the bits that were read.
   *
   * @throws CompressedFormatException if bytes follow
   */
  void finish() throws CompressedFormatException {
    int needed = at - AHEAD + (low != 0 ? 1 : 0);
    if (needed != code.length) {
      throw CompressedFormatException.damaged(
          "its code has " + code.length + " bytes, but takes " + needed);
    }
  }
}
