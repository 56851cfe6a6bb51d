package io.ringflow.internal.mixing;

import java.io.ByteArrayOutputStream;

/**
 * Arithmetic coding of bits by probabilities of 16 bits.
 *
 * <p>The code is a number in an interval [low, high] of 32 bits. Each bit splits it in two parts,
 * neither of them empty, and keeps its own; leading bytes that both ends agree on are written.
 */
final class BinaryEncoder {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int low;
  private int high = -1; // unsigned

  /**
   * The end of the part of a one, which begins at {@code low}; that of a zero comes after it.
   *
   * @param probability of a one, 1 to 65535 of 65536
   * @return at least {@code low}, and less than {@code high} if this is more than {@code low}
   */
  static int split(int low, int high, int probability) {
    long range = Integer.toUnsignedLong(high - low);
    return low + (int) ((range * probability) >>> 16);
  }

  /** Whether no more bits can change the first byte. */
  static boolean agree(int low, int high) {
    return (low ^ high) >>> 24 == 0;
  }

  /** Writes a bit. */
  void encode(int bit, int probability) {
    int split = split(low, high, probability);
    if (bit == 1) {
      high = split;
    } else {
      low = split + 1;
    }
    while (agree(low, high)) {
      out.write(high >>> 24);
      low <<= 8;
      high = (high << 8) | 0xFF;
    }
  }

  /** The code: no longer than it takes, for a reader who finds zeros behind its end. */
  byte[] finish() {
    // The first byte of high, then zeros, lies in the interval: otherwise the ends would agree.
    if (low != 0) {
      out.write(high >>> 24);
    }
    return out.toByteArray();
  }
}
