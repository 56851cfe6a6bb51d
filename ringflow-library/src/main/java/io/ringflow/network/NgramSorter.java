package io.ringflow.network;

import io.ringflow.core.ProgressListener;
import io.ringflow.spi.Scope;
import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;

/**
 * Counts n-grams of all lengths by sorting once: every symbol with the context beside it is a
 * number whose leading digits are the nearest neighbours. Sorted, all occurrences of a context lie
 * next to each other, whatever its length.
 *
 * <p>Memory: 16 bytes for each symbol while it sorts.
 */
final class NgramSorter {
  /** What was seen once says nothing of others: leaving it out, nothing is left. */
  private static final int MIN_TOTAL = 2;

  private static final int MAX_HISTOGRAM = 1 << 16;

  /** Rows that are written at a time. */
  private static final int BLOCK = 1 << 14;

  private final int symbols;
  private final int order;
  private final long[] codes;
  private int size;

  /** Makes room for the symbols of all rows. */
  NgramSorter(int symbols, int order, int capacity) {
    this.symbols = symbols;
    this.order = order;
    this.codes = new long[capacity];
  }

  /**
   * Adds the symbols of a row.
   *
   * @param direction -1 for contexts that precede them, 1 for those that follow
   */
  void add(char[] part, int from, int to, int direction) {
    for (int i = from; i < to; i++) {
      long code = 0;
      for (int far = 1; far <= order; far++) {
        int neighbour = i + direction * far;
        code = code * (symbols + 1L);
        if (neighbour >= from && neighbour < to) {
          code += part[neighbour] + 1L;
        }
      }
      codes[size++] = code * symbols + part[i];
    }
  }

  /** Occurrences of one context: {@code codes[from …to - 1]}. */
  @FunctionalInterface
  private interface Visitor {
    void visit(long context, int from, int to);
  }

  /** Visits the contexts of a length in ascending order of their keys. */
  private void forEachContext(int length, Visitor visitor) {
    long divisor = symbols;
    for (int i = length; i < order; i++) {
      divisor *= symbols + 1L;
    }
    int from = 0;
    while (from < size) {
      long context = codes[from] / divisor;
      long last = context * divisor + (divisor - 1);
      int to = from + 1;
      while (to < size && codes[to] <= last) {
        to++;
      }
      if (length == 0 || context % (symbols + 1L) != 0) { // 0: beyond the row
        visitor.visit(context, from, to);
      }
      from = to;
    }
  }

  /**
   * Writes keys and counts of the most frequent contexts, see {@link NgramTable}.
   *
   * @param room for so many of them
   * @param progress hears how many symbols are done: sorting them takes a third of the time
   */
  void write(int room, Tensor keys, Tensor counts, ProgressListener progress) {
    int lengths = order + 1;
    int passes = 3 * lengths;
    progress.done(0, size);
    Arrays.parallelSort(codes, 0, size);
    progress.done(size / 3, size);
    int[] histogram = new int[MAX_HISTOGRAM];
    for (int length = 0; length <= order; length++) {
      forEachContext(
          length, (context, from, to) -> histogram[Math.min(to - from, MAX_HISTOGRAM - 1)]++);
      progress.done((long) size * (lengths + length + 1) / passes, size);
    }
    int least = MAX_HISTOGRAM - 1;
    int chosen = histogram[least];
    while (least > MIN_TOTAL && chosen + histogram[least - 1] <= room) {
      least--;
      chosen += histogram[least];
    }
    Block block = new Block(Math.max(0, room - chosen), room, keys, counts);
    int minimum = least;
    for (int length = 0; length <= order; length++) {
      forEachContext(
          length,
          (context, from, to) -> {
            if (to - from >= minimum) {
              block.add(context, from, to);
            }
          });
      progress.done((long) size * (2 * lengths + length + 1) / passes, size);
    }
    block.flush();
  }

  /** Some rows at a time, on their way to the tensors. */
  private final class Block {
    private final int room;
    private final Tensor keys;
    private final Tensor counts;
    private final long[] ownKeys = new long[BLOCK];
    private final short[] ownCounts = new short[BLOCK * (symbols + 1)];
    private final int[] row = new int[symbols];
    private int first; // the place of the block
    private int filled;

    Block(int first, int room, Tensor keys, Tensor counts) {
      this.first = first;
      this.room = room;
      this.keys = keys;
      this.counts = counts;
      try (Scope scope = Scope.inference()) {
        keys.zero_();
        counts.zero_();
      }
    }

    void add(long context, int from, int to) {
      if (first + filled == room) {
        return; // as many of the same frequency as fit
      }
      Arrays.fill(row, 0);
      int most = 0;
      for (int i = from; i < to; i++) {
        most = Math.max(most, ++row[(int) (codes[i] % symbols)]);
      }
      int shift = 0;
      while (most >> shift > Short.MAX_VALUE) {
        shift++;
      }
      int at = filled * (symbols + 1);
      for (int symbol = 0; symbol < symbols; symbol++) {
        // What was seen stays seen.
        int shifted = Math.max(row[symbol] >> shift, Math.min(1, row[symbol]));
        ownCounts[at + symbol] = (short) shifted;
      }
      ownCounts[at + symbols] = (short) shift;
      ownKeys[filled++] = context + 1;
      if (filled == BLOCK) {
        flush();
      }
    }

    void flush() {
      if (filled == 0) {
        return;
      }
      try (Scope scope = Scope.inference()) {
        keys.narrow(0, first, filled).copy_(Tensor.create(Arrays.copyOf(ownKeys, filled), filled));
        short[] rows = Arrays.copyOf(ownCounts, filled * (symbols + 1));
        counts.narrow(0, first, filled).copy_(Tensor.create(rows, filled, symbols + 1L));
      }
      first += filled;
      filled = 0;
    }
  }
}
