package io.ringflow.internal.mixing;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Probabilities that some contexts have of their own, beside {@linkplain BitHistory histories}:
 * they tell 990 of 1,000 from 999, which a history of one byte does not.
 *
 * <p>Hashed, without a check: contexts that share their probabilities are told apart by the mixer,
 * if at all. The 15 bits of half a byte are neighbours, so that memory is waited for twice a byte
 * and not eight times. For one thread.
 */
final class DirectProbabilities {
  /** How many contexts. */
  static final int COUNT = ByteContexts.FREQUENT;

  private static final int HALF_BITS = 4; // a line has 16 probabilities; the first is not used

  private final int lineBits;
  private final AdaptiveProbabilities table;
  private final ReusedTables tables;
  private final int[] hashes = new int[COUNT];
  private final int[] lines = new int[COUNT];
  private int half; // bits of half a byte so far, behind a leading one
  private boolean second; // whether it is the second half

  /** Keeps the reads that fetch lines from being optimised away. */
  @SuppressWarnings("UnusedVariable")
  private int touched;

  /** A table of 2^bits probabilities. */
  DirectProbabilities(int bits) {
    this(bits - HALF_BITS, new AdaptiveProbabilities(1 << bits), ReusedTables.NONE);
  }

  private DirectProbabilities(int lineBits, AdaptiveProbabilities table, ReusedTables tables) {
    this.lineBits = lineBits;
    this.table = table;
    this.tables = tables;
  }

  /** Has learned the same; call between bytes. */
  DirectProbabilities copy(ReusedTables into) {
    return new DirectProbabilities(lineBits, table.copy(into), into);
  }

  /** Looks up the contexts of a byte. */
  void begin(ByteContexts contexts) {
    contexts.hashFrequent(hashes);
    find(0);
    second = false;
  }

  /** Goes on to a half of the byte, after the bits before it, behind a leading one; 0 for none. */
  private void find(int before) {
    int sum = 0;
    for (int i = 0; i < COUNT; i++) {
      int hash = (hashes[i] + before * 0x9E3779B1) * 0x85EBCA6B;
      lines[i] = (hash >>> (Integer.SIZE - lineBits)) << HALF_BITS;
      sum += table.get(lines[i] + 1);
    }
    touched = sum;
    table.written(lines, tables);
    half = 1;
  }

  /** Writes the log-odds of each context to inputs, from one on. */
  void logOdds(int[] inputs, int from) {
    for (int i = 0; i < COUNT; i++) {
      inputs[from + i] = Logistic.logOdds(table.get(lines[i] + half));
    }
  }

  /** Learns from a bit of the byte. */
  void update(int bit) {
    for (int line : lines) {
      table.update(line + half, bit);
    }
    half = (half << 1) | bit;
    if (half >> HALF_BITS == 1 && !second) {
      find(half);
      second = true;
    }
  }

  void write(DataOutput out) throws IOException {
    table.writeCompact(out);
  }

  void read(DataInput in) throws IOException {
    table.readCompact(in);
  }
}
