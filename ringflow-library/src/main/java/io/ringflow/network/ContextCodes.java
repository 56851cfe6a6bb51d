package io.ringflow.network;

import java.util.Arrays;

/**
 * Symbols with their contexts, each as one number: {@code context * K + symbol}. Sorted, all
 * occurrences of a context lie next to each other.
 *
 * <p>Memory: 8 bytes for each symbol, and 8 more while they are sorted.
 */
final class ContextCodes {
  private final int symbols;
  private final long[] codes;
  private int size;

  /** Occurrences of one context: the codes {@code from … to - 1}. */
  @FunctionalInterface
  interface Visitor {
    void visit(long context, int from, int to);
  }

  /** Makes room for some occurrences. */
  ContextCodes(int symbols, int capacity) {
    this.symbols = symbols;
    this.codes = new long[capacity];
  }

  int symbols() {
    return symbols;
  }

  void add(long context, int symbol) {
    codes[size++] = context * symbols + symbol;
  }

  void sort() {
    Arrays.parallelSort(codes, 0, size);
  }

  int symbol(int at) {
    return (int) (codes[at] % symbols);
  }

  /**
   * Visits contexts in ascending order, once they are sorted.
   *
   * @param many contexts that differ only in what they have as a remainder of this count as one
   */
  void forEachContext(long many, Visitor visitor) {
    long divisor = symbols * many;
    int from = 0;
    while (from < size) {
      long context = codes[from] / divisor;
      long last = context * divisor + (divisor - 1);
      int to = from + 1;
      while (to < size && codes[to] <= last) {
        to++;
      }
      visitor.visit(context, from, to);
      from = to;
    }
  }
}
