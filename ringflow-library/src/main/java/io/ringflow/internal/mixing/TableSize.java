package io.ringflow.internal.mixing;

import java.util.function.IntToLongFunction;

/** How large a table suits a training text. */
public final class TableSize {
  /** 256 MB: what is compressed later may be long, however short the training text. */
  private static final int LEAST = 24;

  private static final int MOST = 26;

  /** From so much text on the next larger table pays off, and the next from twice as much. */
  private static final long ENOUGH_FOR_LEAST = 32L << 20;

  private TableSize() {}

  /**
   * The logarithm of a table's slots: 24, or up to 26 for long texts; fewer where Java's memory is
   * too small for them.
   *
   * @param memory what tables of so many slots take, with all that comes with them
   */
  public static int slotBits(long textBytes, IntToLongFunction memory) {
    return slotBits(textBytes, memory, Runtime.getRuntime().maxMemory());
  }

  static int slotBits(long textBytes, IntToLongFunction memory, long maxMemory) {
    int bits = LEAST;
    for (long enough = ENOUGH_FOR_LEAST; textBytes > enough && bits < MOST; enough *= 2) {
      bits++;
    }
    long most = maxMemory / 4 * 3; // there is more to do with it than counting
    while (bits > TextPredictor.MIN_SLOT_BITS && memory.applyAsLong(bits) > most) {
      bits--;
    }
    return bits;
  }
}
