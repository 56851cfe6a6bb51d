package io.ringflow.internal.mixing;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Probabilities that follow what happens: the mean of all bits at first, of the recent ones later.
 *
 * <p>An entry has 22 bits of probability and 10 bits that count, up to a limit, how often it was
 * used; it moves by 1 / (count + 1.6) of the difference to what came.
 */
final class AdaptiveProbabilities {
  private static final int COUNT_BITS = 10;
  private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;
  private static final int[] RATES = new int[COUNT_MASK + 1];

  static {
    for (int i = 0; i < RATES.length; i++) {
      RATES[i] = 5 * (1 << 14) / (5 * i + 8); // of 2^14
    }
  }

  private final int[] entries;

  AdaptiveProbabilities(int size) {
    entries = new int[size];
    Arrays.fill(entries, (Logistic.ONE / 2) << 16);
  }

  private AdaptiveProbabilities(int[] entries) {
    this.entries = entries;
  }

  AdaptiveProbabilities copy() {
    return copy(ReusedTables.NONE);
  }

  AdaptiveProbabilities copy(ReusedTables tables) {
    return new AdaptiveProbabilities(tables.copyOf(entries));
  }

  /** Notes that entries change, in the blocks that some lie in. */
  void written(int[] indices, ReusedTables tables) {
    tables.written(entries, indices);
  }

  /** Gives an entry a probability of 16 bits to start from. */
  void start(int index, int probability) {
    entries[index] = probability << 16;
  }

  /** The probability of a one, of 16 bits. */
  int get(int index) {
    return entries[index] >>> 16;
  }

  /** Learns from the bit that came. */
  void update(int index, int bit) {
    int entry = entries[index];
    int count = entry & COUNT_MASK;
    int change = ((((bit << 22) - (entry >>> COUNT_BITS)) >> 6) * RATES[count]) >> 8;
    entries[index] = entry + (change << COUNT_BITS) + (count < COUNT_MASK ? 1 : 0);
  }

  void write(DataOutput out) throws IOException {
    ArrayCodec.write(entries, out);
  }

  /** As {@link #write}, in fewer bytes where there are many entries. */
  void writeCompact(DataOutput out) throws IOException {
    CommonValues.write(entries, out);
  }

  void readCompact(DataInput in) throws IOException {
    CommonValues.read(entries, in);
  }

  void read(DataInput in) throws IOException {
    ArrayCodec.read(entries, in);
  }
}
