package io.ringflow.paper.oracle;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;

/**
 * Pairs of symbols from an alphabet as large as one likes, whose entropies are known exactly.
 *
 * <p>The first symbol follows Zipf's law, {@code p(x) ~ 1 / (x + 1)}, as words do. Given it, the
 * second is one of four symbols, each half as likely as the one before. Which four is sampled for
 * each x: nothing about y can be known without having seen x.
 *
 * <pre>    H(x, y) = H(x) + H(8/15, 4/15, 2/15, 1/15)</pre>
 *
 * <p>Only {@code 4 K} of the K² pairs ever occur, so that a model's cross entropy is a short sum.
 * Immutable and safe for use by many threads.
 */
public final class AlphabetPairs {
  private static final double[] CHANCES = {8 / 15.0, 4 / 15.0, 2 / 15.0, 1 / 15.0};
  private static final CellSampler RANKS = new CellSampler(CHANCES);

  private final double[] first; // p(x)
  private final CellSampler firsts;
  private final int[][] likely; // [x][rank]

  private AlphabetPairs(int k, long seed, BiFunction<Integer, RandomGenerator, int[]> followers) {
    if (k < CHANCES.length) {
      throw new IllegalArgumentException("k must be at least " + CHANCES.length + ", but is " + k);
    }
    first = new double[k];
    Arrays.setAll(first, x -> 1.0 / (x + 1));
    double total = Arrays.stream(first).sum();
    Arrays.setAll(first, x -> first[x] / total);
    firsts = new CellSampler(first);
    RandomGenerator random = new SplittableRandom(seed);
    likely = new int[k][];
    Arrays.setAll(likely, x -> followers.apply(k, random));
  }

  /**
   * The four symbols are any: to bring those of every x to the same places, one must know them all.
   *
   * @param k symbols in the alphabet
   * @param seed of the choice
   */
  public static AlphabetPairs scattered(int k, long seed) {
    return new AlphabetPairs(
        k,
        seed,
        (symbols, random) -> random.ints(0, symbols).distinct().limit(CHANCES.length).toArray());
  }

  /**
   * The four symbols are neighbours on the ring modulo K, the likeliest first: one shift for each x
   * brings them to the same places.
   *
   * @param k symbols in the alphabet
   * @param seed of the choice
   */
  public static AlphabetPairs neighbours(int k, long seed) {
    return new AlphabetPairs(
        k,
        seed,
        (symbols, random) -> {
          int start = random.nextInt(symbols);
          int[] chosen = new int[CHANCES.length];
          Arrays.setAll(chosen, rank -> (start + rank) % symbols);
          return chosen;
        });
  }

  /** The number of symbols in the alphabet. */
  public int k() {
    return first.length;
  }

  /** Every pair that occurs, once, as {@code {x, y}}; the pairs of an x by falling probability. */
  public int[][] pairs() {
    int[][] pairs = new int[first.length * CHANCES.length][];
    Arrays.setAll(
        pairs, i -> new int[] {i / CHANCES.length, likely[i / CHANCES.length][i % CHANCES.length]});
    return pairs;
  }

  /** The probability of every pair, in the order of {@link #pairs()}. */
  double[] probabilities() {
    double[] p = new double[first.length * CHANCES.length];
    Arrays.setAll(p, i -> first[i / CHANCES.length] * CHANCES[i % CHANCES.length]);
    return p;
  }

  /** The entropy in nats, by formula: the floor of every model's cross entropy. */
  public double entropy() {
    return Entropy.of(first) + Entropy.of(CHANCES);
  }

  /** {@code H(x) + H(y)} in nats: the cross entropy of the best model without any dependence. */
  public double factorised() {
    return Entropy.of(first) + Entropy.of(seconds(new int[first.length]));
  }

  /**
   * {@code H(x) + H(y - m(x) mod K)} in nats, where m(x) is the likeliest symbol after x: the cross
   * entropy of a layer that shifts this one to 0. For {@link #neighbours} it is the entropy itself;
   * otherwise other shifts may do better.
   */
  public double shifted() {
    int[] modes = new int[first.length];
    Arrays.setAll(modes, x -> likely[x][0]);
    return Entropy.of(first) + Entropy.of(seconds(modes));
  }

  /** The marginal distribution of the second symbol, shifted back by so much after each x. */
  private double[] seconds(int[] shifts) {
    int k = first.length;
    double[] marginal = new double[k];
    for (int x = 0; x < k; x++) {
      for (int rank = 0; rank < CHANCES.length; rank++) {
        marginal[Math.floorMod(likely[x][rank] - shifts[x], k)] += first[x] * CHANCES[rank];
      }
    }
    return marginal;
  }

  /**
   * Returns a model's exact cross entropy in nats, {@code sum p (-log q)}.
   *
   * @param logProbOfPairs {@code log q} of every pair, in the order of {@link #pairs()}
   */
  public double crossEntropy(double[] logProbOfPairs) {
    double[] p = probabilities();
    if (logProbOfPairs.length != p.length) {
      throw new IllegalArgumentException(
          "logProbOfPairs must have " + p.length + " entries, but has " + logProbOfPairs.length);
    }
    var sum = new CompensatedSum();
    for (int i = 0; i < p.length; i++) {
      sum.add(-p[i] * logProbOfPairs[i]);
    }
    return sum.value();
  }

  /**
   * Samples pairs.
   *
   * @param n how many
   * @param rng the source of chance
   * @return {@code n} rows {@code {x, y}}
   */
  public int[][] sample(int n, RandomGenerator rng) {
    int[][] rows = new int[n][];
    for (int row = 0; row < n; row++) {
      int x = firsts.sample(rng);
      rows[row] = new int[] {x, likely[x][RANKS.sample(rng)]};
    }
    return rows;
  }
}
