package io.ringflow.compress;

import java.util.List;

/**
 * Symbols in a row, split in two again and again, such that both sides of a split are about as
 * frequent.
 *
 * <p>Nodes are numbered such that those below a node come after it; the root is 0.
 */
final class SymbolTree {
  private final int[] begins;
  private final int[] middles;
  private final int[] ends;
  private final int[] lefts; // node, or -1 - symbol for a leaf
  private final int[] rights;
  private int nodes;

  /**
   * A tree of symbols.
   *
   * @param counts of each symbol
   * @param firstSplit where the root splits; 0 for where it is best
   */
  SymbolTree(long[] counts, int firstSplit) {
    int inner = Math.max(0, counts.length - 1);
    begins = new int[inner];
    middles = new int[inner];
    ends = new int[inner];
    lefts = new int[inner];
    rights = new int[inner];
    long[] sums = new long[counts.length + 1];
    for (int i = 0; i < counts.length; i++) {
      sums[i + 1] = sums[i] + counts[i];
    }
    if (inner > 0) {
      split(sums, 0, counts.length, firstSplit);
    }
  }

  static long[] counts(List<Integer> counts) {
    return counts.stream().mapToLong(Integer::longValue).toArray();
  }

  private int split(long[] sums, int begin, int end, int wanted) {
    if (end - begin == 1) {
      return -1 - begin;
    }
    int middle = wanted > 0 ? wanted : middle(sums, begin, end);
    int node = nodes++;
    begins[node] = begin;
    middles[node] = middle;
    ends[node] = end;
    lefts[node] = split(sums, begin, middle, 0);
    rights[node] = split(sums, middle, end, 0);
    return node;
  }

  private static int middle(long[] sums, int begin, int end) {
    int low = begin + 1;
    int high = end - 1;
    while (low < high) { // the first whose left side has at least half
      int at = (low + high) >>> 1;
      if (2 * sums[at] >= sums[begin] + sums[end]) {
        high = at;
      } else {
        low = at + 1;
      }
    }
    long here = Math.abs(2 * sums[low] - sums[begin] - sums[end]);
    return low > begin + 1 && Math.abs(2 * sums[low - 1] - sums[begin] - sums[end]) < here
        ? low - 1
        : low;
  }

  /** How many nodes there are: one less than symbols. */
  int nodes() {
    return nodes;
  }

  int begin(int node) {
    return begins[node];
  }

  /** The first symbol of the right side. */
  int middle(int node) {
    return middles[node];
  }

  int end(int node) {
    return ends[node];
  }

  /** The node below, or -1 minus the symbol. */
  int child(int node, int bit) {
    return bit == 0 ? lefts[node] : rights[node];
  }

  /** The probability of all symbols below each node, from that of each symbol. */
  void sum(double[] symbols, double[] below) {
    for (int node = nodes - 1; node >= 0; node--) {
      below[node] = of(lefts[node], symbols, below) + of(rights[node], symbols, below);
    }
  }

  /** The log-odds that a symbol below a node is on its right side. */
  double logOdds(int node, double[] symbols, double[] below) {
    return Math.log(of(rights[node], symbols, below) / of(lefts[node], symbols, below));
  }

  private static double of(int child, double[] symbols, double[] below) {
    return child < 0 ? symbols[-1 - child] : below[child];
  }
}
