package io.ringflow.internal.coding;

import io.ringflow.internal.mixing.DecisionCoding;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * What probabilities of symbols say of the bits of the bytes that spell them.
 *
 * <p>In the order of their spellings, the symbols that begin with some bits are neighbours, those
 * that continue with a zero first. So a walk from bit to bit narrows a range, and the log-odds of a
 * one are those of its two parts. No spelling begins another. Bytes that spell no symbol lead to an
 * empty range, of which nothing is said; then the next symbol may begin.
 *
 * <p>For one thread.
 */
final class SpellingOdds {
  /** The bytes so far are the beginning of a symbol. */
  static final int OPEN = -1;

  /** The bytes so far are of no symbol. */
  static final int NONE = -2;

  private static final double CERTAIN = 64 * DecisionCoding.UNIT;

  private final byte[][] spellings; // sorted
  private final int[] symbols; // of the spellings
  private final double[] probabilities; // in their order
  private int from;
  private int to;
  private int bits; // of the symbol that are known
  private int value; // of the byte so far

  SpellingOdds(byte[][] spellings) {
    symbols =
        IntStream.range(0, spellings.length)
            .filter(id -> spellings[id].length > 0)
            .boxed()
            .sorted(Comparator.comparing(id -> spellings[id], Arrays::compareUnsigned))
            .mapToInt(Integer::intValue)
            .toArray();
    this.spellings = Arrays.stream(symbols).mapToObj(id -> spellings[id]).toArray(byte[][]::new);
    probabilities = new double[symbols.length];
    restart();
  }

  /** Goes on to the next symbol, of which nothing is known. */
  void restart() {
    from = 0;
    to = symbols.length;
    bits = 0;
    value = 0;
  }

  /** Takes the natural log-probabilities of all symbols. */
  void take(double[] logProbs, int first) {
    for (int i = 0; i < symbols.length; i++) {
      probabilities[i] = Math.exp(logProbs[first + symbols[i]]);
    }
    restart();
  }

  /** The log-odds of a one, in units of 1/256; 0 where nothing is known. */
  double next() {
    int middle = middle();
    if (middle == from
        || middle == to) { // one symbol, or all of them, go on alike; or there is none
      return from == to ? 0 : middle == from ? CERTAIN : -CERTAIN;
    }
    // Summed apart, so that what is unlikely keeps its digits.
    double zero = sum(from, middle);
    double one = sum(middle, to);
    double odds = DecisionCoding.UNIT * Math.log(one / zero);
    return Double.isNaN(odds) ? 0 : Math.max(-CERTAIN, Math.min(CERTAIN, odds)); // 0 : 0
  }

  private double sum(int first, int end) {
    double sum = 0;
    for (int i = first; i < end; i++) {
      sum += probabilities[i];
    }
    return sum;
  }

  /** The first of the range that continues with a one. */
  private int middle() {
    int low = from;
    int high = to;
    while (low < high) {
      int at = (low + high) >>> 1;
      if (bit(spellings[at]) == 1) {
        high = at;
      } else {
        low = at + 1;
      }
    }
    return low;
  }

  private int bit(byte[] spelling) {
    return (spelling[bits >> 3] >> (7 - (bits & 7))) & 1;
  }

  /** Goes on to the next bit. */
  void bit(int bit) {
    int middle = middle();
    if (bit == 1) {
      from = middle;
    } else {
      to = middle;
    }
    bits++;
    value = (value << 1) | bit;
  }

  /**
   * Ends a byte.
   *
   * @return the symbol that it completes, or {@link #OPEN} or {@link #NONE}; after all but {@link
   *     #OPEN} the next symbol begins
   */
  int endByte() {
    int last = value & 0xFF;
    boolean wasOpen = bits > Byte.SIZE;
    if (from < to) {
      if (spellings[from].length * Byte.SIZE > bits) {
        return OPEN;
      }
      int symbol = symbols[from];
      restart();
      return symbol;
    }
    restart();
    return wasOpen ? ofByte(last) : NONE; // it may begin a symbol itself
  }

  /** Goes on by a whole byte. */
  int ofByte(int next) {
    for (int shift = 7; shift >= 0; shift--) {
      bit((next >> shift) & 1);
    }
    return endByte();
  }
}
