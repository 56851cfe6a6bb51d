package io.ringflow.network;

import io.ringflow.network.ContextRows.Frequencies;
import org.bytedeco.pytorch.Tensor;

/** Counts what stands beside words, by sorting: see {@link WordContexts}. */
final class WordSorter {
  private final WordContexts words;
  private final ContextCodes codes;

  /** Makes room for the symbols of all rows. */
  WordSorter(WordContexts words, int symbols, int capacity) {
    this.words = words;
    this.codes = new ContextCodes(symbols, capacity);
  }

  /**
   * Adds the symbols of a row that have a context.
   *
   * @param direction -1 for words that precede them, 1 for those that follow
   */
  void add(char[] part, int from, int to, int direction) {
    for (int i = from; i < to; i++) {
      long hash = words.hash(part, i, from, to, direction);
      if (hash != WordContexts.NONE) {
        codes.add(hash, part[i]);
      }
    }
  }

  /**
   * Writes keys and counts of the most frequent contexts, see {@link NgramTable}, as the first.
   *
   * @param keys as many as there is room for
   */
  void write(Tensor keys, Tensor counts) {
    codes.sort();
    var frequencies = new Frequencies();
    codes.forEachContext(1, (hash, from, to) -> frequencies.add(to - from));
    int least = frequencies.least(Math.toIntExact(keys.size(0)));
    var rows = new ContextRows(codes, 0, keys, counts);
    codes.forEachContext(
        1,
        (hash, from, to) -> {
          if (to - from >= least) {
            rows.add(WordContexts.key(hash), from, to);
          }
        });
    rows.flush();
  }
}
