package io.ringflow.internal.mixing;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Bit histories by hashed context: for each half of a byte a slot of a check byte and the 15
 * histories of the bits that the half is made of.
 *
 * <pre>
 *   slot   check | 1 | 2 3 | 4 5 6 7 | 8 … 15      histories by the bits before, behind a leading 1
 * </pre>
 *
 * <p>A slot lies in one of three places of a cache line. If it is in none, it takes that of the
 * slot that has seen least. Eight bits of check let one in about a hundred strangers pass for
 * known; the mixer learns how far to trust such contexts. Both halves of a byte lie in the same 4
 * kB, so that the second is found in a page that is at hand.
 *
 * <p>A context that extends another gets a slot only once the other is known. Most long contexts
 * never come again, and would push out those that do; of long repetitions the match model takes
 * care. Until then it has a slot to itself that is empty every time.
 */
final class HistoryTable {
  private static final int SLOT = 16;
  private static final int SLOTS_A_PAGE = 256;

  private static final int LINE = 64;
  private static final int ARRAY_HEADER = 16;

  private final int[] extended;
  private final int first; // of the slots in the table, behind an empty one for each context
  private final byte[] table;
  private final int mask;
  private final byte[] checks; // never 0
  private final boolean[] unknown;
  private final ReusedTables tables;

  /** Keeps the reads that fetch lines from being optimised away. */
  @SuppressWarnings("UnusedVariable")
  private int touched;

  /**
   * An empty table.
   *
   * @param slotBits logarithm of the number of slots
   * @param extended for each of the contexts that are looked up together, which other one, before
   *     it, it extends; or -1
   */
  HistoryTable(int slotBits, int[] extended) {
    this(extended, new byte[first(extended.length) + (SLOT << slotBits)], ReusedTables.NONE);
  }

  private HistoryTable(int[] extended, byte[] table, ReusedTables tables) {
    this.extended = extended;
    this.table = table;
    this.tables = tables;
    first = first(extended.length);
    mask = (table.length - first) / SLOT - 1;
    checks = new byte[extended.length];
    unknown = new boolean[extended.length];
  }

  /** Where slots begin such that four of them fill a line, counting the array's header. */
  private static int first(int contexts) {
    int empty = ARRAY_HEADER + contexts * SLOT;
    return (empty + LINE - 1) / LINE * LINE - ARRAY_HEADER;
  }

  HistoryTable copy(ReusedTables into) {
    return new HistoryTable(extended, into.copyOf(table), into);
  }

  /**
   * Finds or makes the slots of contexts.
   *
   * @param hashes of the contexts
   * @param half of the byte that is known, behind a leading 1; 0 for the first half
   * @param slots set to where the slots are
   */
  void find(int[] hashes, int half, int[] slots) {
    int sum = 0;
    // All lines are asked for before the first is needed: their ways from memory overlap.
    for (int i = 0; i < slots.length; i++) {
      int hash = (hashes[i] ^ (half * 0x9E3779B1)) * 0x85EBCA6B;
      hash ^= hash >>> 15;
      checks[i] = (byte) Math.max(1, (hash * 0x2C1B3C6D) >>> 24);
      int slot = ((hashes[i] & -SLOTS_A_PAGE) | (hash & (SLOTS_A_PAGE - 1))) & mask;
      slots[i] = first + slot * SLOT;
      sum += table[slots[i]];
    }
    touched = sum;
    for (int i = 0; i < slots.length; i++) {
      int other = extended[i];
      slots[i] = other >= 0 && unknown[other] ? empty(i) : find(slots[i] - first, checks[i]);
      unknown[i] = table[slots[i] + 1] == 0;
    }
    tables.written(table, slots);
  }

  private int empty(int context) {
    int slot = context * SLOT;
    Arrays.fill(table, slot, slot + SLOT, (byte) 0);
    return slot;
  }

  private int find(int place, byte check) {
    int a = first + place;
    if (table[a] == check) {
      return a;
    }
    int b = first + (place ^ SLOT);
    if (table[b] == check) {
      return b;
    }
    int c = first + (place ^ (2 * SLOT));
    if (table[c] == check) {
      return c;
    }
    int seenA = table[a + 1] & 0xFF;
    int seenB = table[b + 1] & 0xFF;
    int seenC = table[c + 1] & 0xFF;
    int least = seenA <= seenB && seenA <= seenC ? a : seenB <= seenC ? b : c;
    Arrays.fill(table, least, least + SLOT, (byte) 0);
    table[least] = check;
    return least;
  }

  /** The history at a node of a slot. */
  int history(int slot, int node) {
    return table[slot + node] & 0xFF;
  }

  /** Adds a bit to the histories at a node of slots. */
  void update(int[] slots, int node, int bit) {
    for (int slot : slots) {
      int at = slot + node;
      table[at] = BitHistory.next(table[at], bit);
    }
  }

  void write(DataOutput out) throws IOException {
    out.write(table, first, table.length - first);
  }

  void read(DataInput in) throws IOException {
    in.readFully(table, first, table.length - first);
  }
}
