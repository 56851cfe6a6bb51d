package io.ringflow.network;

import io.ringflow.core.ProgressListener;
import io.ringflow.network.ContextRows.Frequencies;
import org.bytedeco.pytorch.Tensor;

/**
 * Counts n-grams of all lengths by sorting once: every symbol with the context beside it is a
 * number whose leading digits are the nearest neighbours. Sorted, all occurrences of a context lie
 * next to each other, whatever its length.
 */
final class NgramSorter {
  private final int symbols;
  private final int order;
  private final int capacity;
  private final ContextCodes codes;

  /** Makes room for the symbols of all rows. */
  NgramSorter(int symbols, int order, int capacity) {
    this.symbols = symbols;
    this.order = order;
    this.capacity = capacity;
    this.codes = new ContextCodes(symbols, capacity);
  }

  /**
   * Adds the symbols of a row.
   *
   * @param direction -1 for contexts that precede them, 1 for those that follow
   */
  void add(char[] part, int from, int to, int direction) {
    for (int i = from; i < to; i++) {
      long context = 0;
      for (int far = 1; far <= order; far++) {
        int neighbour = i + direction * far;
        context = context * (symbols + 1L);
        if (neighbour >= from && neighbour < to) {
          context += part[neighbour] + 1L;
        }
      }
      codes.add(context, part[i]);
    }
  }

  /** Visits the contexts of a length in ascending order of their keys. */
  private void forEachContext(int length, ContextCodes.Visitor visitor) {
    long longer = 1;
    for (int i = length; i < order; i++) {
      longer *= symbols + 1L;
    }
    codes.forEachContext(
        longer,
        (context, from, to) -> {
          if (length == 0 || context % (symbols + 1L) != 0) { // 0: beyond the row
            visitor.visit(context + 1, from, to);
          }
        });
  }

  /**
   * Writes keys and counts of the most frequent contexts, see {@link NgramTable}, as the last.
   *
   * @param keys as many as there is room for
   * @param progress hears how many symbols are done: sorting them takes a third of the time
   */
  void write(Tensor keys, Tensor counts, ProgressListener progress) {
    int lengths = order + 1;
    int passes = 3 * lengths;
    progress.done(0, capacity);
    codes.sort();
    progress.done(capacity / 3, capacity);
    var frequencies = new Frequencies();
    for (int length = 0; length <= order; length++) {
      forEachContext(length, (key, from, to) -> frequencies.add(to - from));
      progress.done((long) capacity * (lengths + length + 1) / passes, capacity);
    }
    int room = Math.toIntExact(keys.size(0));
    int least = frequencies.least(room);
    int first = Math.max(0, room - frequencies.chosen(least));
    var rows = new ContextRows(codes, first, keys, counts);
    for (int length = 0; length <= order; length++) {
      forEachContext(
          length,
          (key, from, to) -> {
            if (to - from >= least) {
              rows.add(key, from, to);
            }
          });
      progress.done((long) capacity * (2 * lengths + length + 1) / passes, capacity);
    }
    rows.flush();
  }
}
