package io.ringflow.internal.mixing;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What the contexts of a byte say of its bits, each by the history of bits that followed it, and
 * where in the byte a predictor is. For one thread.
 */
final class ContextHistories {
  private static final int CONTEXTS = ByteContexts.COUNT;
  private static final int HISTORIES = 256;

  /** Bits of a byte so far, behind a leading one. */
  static final int NODES = 256;

  private final HistoryTable table;
  private final AdaptiveProbabilities byHistory;
  private final AdaptiveProbabilities byNode;
  private final int[] hashes = new int[CONTEXTS];
  private final int[] slots = new int[CONTEXTS];
  private final int[] entries = new int[CONTEXTS];
  private int node; // 0 before the byte begins
  private int half; // the same for its half

  ContextHistories(int slotBits) {
    table = new HistoryTable(slotBits, ByteContexts.extended());
    byHistory = new AdaptiveProbabilities(CONTEXTS * HISTORIES);
    for (int i = 0; i < CONTEXTS * HISTORIES; i++) {
      byHistory.start(i, BitHistory.start(i % HISTORIES));
    }
    byNode = new AdaptiveProbabilities(NODES);
  }

  private ContextHistories(ContextHistories other, ReusedTables tables) {
    table = other.table.copy(tables);
    byHistory = other.byHistory.copy();
    byNode = other.byNode.copy();
  }

  /** Has learned the same; call between bytes. */
  ContextHistories copy(ReusedTables tables) {
    return new ContextHistories(this, tables);
  }

  /** Whether the next bit is the first of a byte that has not {@linkplain #begin begun}. */
  boolean isBetweenBytes() {
    return node == 0;
  }

  /** Looks up the contexts of a byte: not before it is asked for, so that copies do so too. */
  void begin(ByteContexts contexts, MatchModel match) {
    contexts.hash(match, hashes);
    table.find(hashes, 0, slots);
    node = 1;
    half = 1;
  }

  /** The bits of the byte so far, behind a leading one. */
  int node() {
    return node;
  }

  /** How many bits of the byte are still to come after the next. */
  int shift() {
    return Integer.numberOfLeadingZeros(node) - 24;
  }

  /**
   * Writes the log-odds of each context to the first inputs, 0 where it is new, and behind them
   * those of the bits so far alone.
   *
   * @return a bit for each context, set where something is known of it
   */
  int logOdds(int[] inputs) {
    int known = 0;
    for (int i = 0; i < CONTEXTS; i++) {
      int history = table.history(slots[i], half);
      int entry = i * HISTORIES + history;
      entries[i] = entry;
      int mask = history == 0 ? 0 : -1;
      inputs[i] = Logistic.logOdds(byHistory.get(entry)) & mask;
      known |= (mask & 1) << i;
    }
    inputs[CONTEXTS] = Logistic.logOdds(byNode.get(node));
    return known;
  }

  /**
   * Learns from a bit.
   *
   * @return the byte that it completes; -1 if more of its bits are to come
   */
  int update(int bit) {
    for (int entry : entries) {
      byHistory.update(entry, bit);
    }
    byNode.update(node, bit);
    table.update(slots, half, bit);
    node = (node << 1) | bit;
    half = (half << 1) | bit;
    if (node >= NODES) {
      int value = node & 0xFF;
      node = 0;
      return value;
    }
    if (node >> 4 == 1) {
      table.find(hashes, node, slots);
      half = 1;
    }
    return -1;
  }

  /** Writes what the histories are worth. */
  void writeProbabilities(DataOutput out) throws IOException {
    byHistory.write(out);
    byNode.write(out);
  }

  void readProbabilities(DataInput in) throws IOException {
    byHistory.read(in);
    byNode.read(in);
  }

  /** Writes the histories. */
  void writeTable(DataOutput out) throws IOException {
    table.write(out);
  }

  void readTable(DataInput in) throws IOException {
    table.read(in);
  }
}
