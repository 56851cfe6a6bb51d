package io.ringflow.network;

import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import java.util.List;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * The word so far and the whole word before it, as a context of the symbol that comes next: all
 * neighbours of a symbol up to the second separator, and that itself.
 *
 * <p>There is no bound to what two words may be, so contexts are hashed: {@code sum of (symbol + 1)
 * * F^distance} modulo 2<sup>64</sup>, of which the leading bits count. Two contexts that share a
 * hash share their counts, which costs a likelihood nothing but a little sharpness.
 */
final class WordContexts implements Module {
  /** Two words that are longer have no context. */
  static final int REACH = 32;

  /** No context: the words are too long, or not all known. */
  static final long NONE = -1;

  /** The golden ratio's fraction in 64 bits, odd: all powers differ. */
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private static final long[] POWERS = powers();

  private final boolean[] isSeparator; // by symbol
  private final int bits; // of a hash
  private final Buffer separators; // int64 [K + 1], by symbol + 1: 1 for a separator
  private final Buffer powers; // int64 [REACH, 1]

  /** Contexts of an alphabet. */
  WordContexts(int symbols, List<Integer> separators) {
    this.isSeparator = new boolean[symbols];
    long[] flags = new long[symbols + 1];
    for (int separator : separators) {
      if (separator >= symbols) {
        throw new IllegalArgumentException(
            "separators are symbols below " + symbols + ", but one is " + separator);
      }
      isSeparator[separator] = true;
      flags[separator + 1] = 1;
    }
    this.bits = Math.min(62, Long.numberOfLeadingZeros(symbols - 1L) - 1);
    this.separators = Buffer.longs(flags, flags.length);
    this.powers = Buffer.longs(POWERS, REACH, 1);
  }

  private static long[] powers() {
    long[] powers = new long[REACH];
    long power = 1;
    for (int i = 0; i < REACH; i++) {
      power *= FACTOR;
      powers[i] = power;
    }
    return powers;
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.buffer(separators);
    registry.buffer(powers);
  }

  /**
   * The hash of a symbol's context, of which a product with the number of symbols fits in 63 bits;
   * {@link #NONE} where there is none.
   *
   * @param row symbols; those of one piece are {@code row[from …to - 1]}
   * @param direction -1 for the words that precede the symbol, 1 for those that follow it
   */
  long hash(char[] row, int at, int from, int to, int direction) {
    long sum = 0;
    int ended = 0;
    for (int i = 0; i < REACH && ended < 2; i++) {
      int neighbour = at + direction * (i + 1);
      if (neighbour < from || neighbour >= to) {
        return NONE;
      }
      sum += (row[neighbour] + 1L) * POWERS[i];
      ended += isSeparator[row[neighbour]] ? 1 : 0;
    }
    return ended < 2 ? NONE : sum >>> (Long.SIZE - bits);
  }

  /** The key of a context in a table, below those of all n-grams and below 0. */
  static long key(long hash) {
    return Long.MIN_VALUE + hash;
  }

  /**
   * The keys of positions, 0 where there is no context: {@code [B, n]}.
   *
   * @param known symbols plus one, {@code [B, 1 + D]}; 0 where not known
   * @param places of the neighbours, {@code [REACH, n]}
   */
  Tensor keys(Tensor known, Tensor places, EvaluationContext context) {
    Tensor near =
        known.index_select(1, places.flatten()).view(known.size(0), REACH, places.size(1));
    Tensor ends = torch.embedding(context.get(separators).unsqueeze(1), near).squeeze(-1);
    Tensor ended = ends.cumsum(1);
    Tensor within = ended.sub(ends).lt(new Scalar(2L)); // none beyond the second separator
    Tensor sum = near.mul(context.get(powers)).mul(within.to(ScalarType.Long)).sum(new long[] {1});
    long mask = (1L << bits) - 1;
    Tensor hash = sum.__rshift__(new Scalar((long) Long.SIZE - bits)).bitwise_and(new Scalar(mask));
    Tensor isThere = ended.select(1, REACH - 1L).ge(new Scalar(2L)).to(ScalarType.Long);
    return hash.add(new Scalar(Long.MIN_VALUE)).mul(isThere);
  }
}
