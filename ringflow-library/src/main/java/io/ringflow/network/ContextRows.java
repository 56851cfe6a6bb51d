package io.ringflow.network;

import io.ringflow.spi.Scope;
import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;

/** The keys and counts of contexts, some at a time on their way to a table's tensors. */
final class ContextRows {
  /** What was seen once says nothing of others: leaving it out, nothing is left. */
  private static final int MIN_TOTAL = 2;

  private static final int MAX_HISTOGRAM = 1 << 16;

  /** Rows that are written at a time. */
  private static final int BLOCK = 1 << 14;

  private final ContextCodes codes;
  private final int symbols;
  private final int room;
  private final Tensor keys;
  private final Tensor counts;
  private final long[] ownKeys = new long[BLOCK];
  private final short[] ownCounts;
  private final int[] row;
  private int first; // the place of the block
  private int filled;

  /**
   * Rows from some place on.
   *
   * @param keys {@code [room]}, and their counts; all are set to 0 first
   */
  ContextRows(ContextCodes codes, int first, Tensor keys, Tensor counts) {
    this.codes = codes;
    this.symbols = codes.symbols();
    this.first = first;
    this.room = Math.toIntExact(keys.size(0));
    this.keys = keys;
    this.counts = counts;
    this.ownCounts = new short[BLOCK * (symbols + 1)];
    this.row = new int[symbols];
    try (Scope scope = Scope.inference()) {
      keys.zero_();
      counts.zero_();
    }
  }

  /** How many contexts were seen how often. */
  static final class Frequencies {
    private final int[] histogram = new int[MAX_HISTOGRAM];

    void add(int total) {
      histogram[Math.min(total, MAX_HISTOGRAM - 1)]++;
    }

    /** How often a context must be seen to be among as many as there is room for. */
    int least(int room) {
      int least = MAX_HISTOGRAM - 1;
      int chosen = histogram[least];
      while (least > MIN_TOTAL && chosen + histogram[least - 1] <= room) {
        least--;
        chosen += histogram[least];
      }
      return least;
    }

    /** How many contexts were seen so often or more. */
    int chosen(int least) {
      return Arrays.stream(histogram, least, MAX_HISTOGRAM).sum();
    }
  }

  /** Adds a context with its occurrences, as long as there is room. */
  void add(long key, int from, int to) {
    if (first + filled == room) {
      return; // as many of the same frequency as fit
    }
    Arrays.fill(row, 0);
    int most = 0;
    for (int i = from; i < to; i++) {
      most = Math.max(most, ++row[codes.symbol(i)]);
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
    ownKeys[filled++] = key;
    if (filled == BLOCK) {
      flush();
    }
  }

  /** Writes what is not written yet. */
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
