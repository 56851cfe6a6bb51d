package io.ringflow.internal.fit;

import io.ringflow.core.SamplingOptions;
import io.ringflow.internal.engine.Conditionals;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Samples rows under {@link SymbolWeights}, group after group, and says what each counts for:
 * progressive sampling (Yang et al. 2019), tilted by a {@link Lookahead}.
 *
 * <p>At each turn, symbol k is chosen in proportion to {@code p(k | earlier) w(k) f(k)}, with the
 * model's probability p, the weight w and the lookahead's factor f. The row's weight is the product
 * of all {@code sum_k p(k) w(k) f(k) / f(chosen)}: its mean is the expectation of the weights,
 * which of weights 0 and 1 is the probability of what is possible. Rows picked in proportion to
 * their weights are samples of the model given what is possible.
 */
public final class ProgressiveSampler {
  private final Conditionals conditionals;
  private final List<Target> targets;
  private final int rowsEach;

  /**
   * What rows are sampled for.
   *
   * @param weights of their symbols
   * @param lookahead made for these weights
   */
  public record Target(SymbolWeights weights, Lookahead lookahead) {}

  /** A sampler of a model whose layers only rearrange positions. */
  public ProgressiveSampler(Conditionals conditionals, SymbolWeights weights, Lookahead lookahead) {
    this(conditionals, List.of(new Target(weights, lookahead)), Integer.MAX_VALUE);
  }

  /**
   * A sampler for several targets at once: a network that is evaluated once for many rows costs
   * less than for few.
   *
   * @param rowsEach of each target, one target after the other
   */
  public ProgressiveSampler(Conditionals conditionals, List<Target> targets, int rowsEach) {
    this.conditionals = conditionals;
    this.targets = List.copyOf(targets);
    this.rowsEach = rowsEach;
  }

  /**
   * Rows, and the natural logarithms of their weights.
   *
   * @param rows symbols in the order of sampling
   * @param logProbs of the symbols that were sampled or given
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Weighted(int[][] rows, double[] logWeights, double[] logProbs) {}

  /** How many groups must be sampled to know a row's weight. */
  public int neededGroups() {
    int[] starts = conditionals.groupStarts();
    return targets.stream().mapToInt(target -> target.weights.groups(starts)).max().orElse(0);
  }

  /**
   * Samples rows, all at a time: the caller bounds their number.
   *
   * @param beginnings the symbols of the first turns of each row, which are not sampled
   * @param groups how many to sample, at least {@link #neededGroups}
   * @param options precision and temperature
   */
  public Weighted sample(int[][] beginnings, int groups, long seed, SamplingOptions options) {
    int count = beginnings.length;
    int[] starts = conditionals.groupStarts();
    int[][] rows = new int[count][starts[groups]];
    double[] logWeights = new double[count];
    double[] logProbs = new double[count];
    if (groups == 0 || count == 0) {
      return new Weighted(rows, logWeights, logProbs);
    }
    RandomGenerator random = new SplittableRandom(seed);
    conditionals.chooseFirst(
        count,
        groups,
        options,
        (group, chosen) -> {
          double[] product = new double[group.width()];
          for (int row = 0; row < count; row++) {
            int[] own = rows[row];
            SymbolWeights weights = targets.get(row / rowsEach).weights;
            Lookahead lookahead = targets.get(row / rowsEach).lookahead;
            for (int i = 0; i < group.turns(); i++) {
              int turn = group.from() + i;
              double[] p = group.probabilities();
              int at = group.at(row, turn);
              if (turn < beginnings[row].length) {
                chosen[row * group.turns() + i] = beginnings[row][turn];
                logProbs[row] += Math.log(p[at + beginnings[row][turn]]);
                continue;
              }
              double[] factors = lookahead.factors(turn, own);
              double total = multiply(turn, p, at, weights.at(turn, own), factors, product);
              int symbol = pick(product, total, random.nextDouble());
              chosen[row * group.turns() + i] = symbol;
              logProbs[row] += Math.log(p[at + symbol]);
              if (!weights.isFree(turn) || factors != null) {
                logWeights[row] += Math.log(factors == null ? total : total / factors[symbol]);
              }
            }
            // Not before: turns of one group do not know of each other.
            for (int i = 0; i < group.turns(); i++) {
              own[group.from() + i] = (int) chosen[row * group.turns() + i];
            }
          }
        });
    return new Weighted(rows, logWeights, logProbs);
  }

  /** Fills in {@code p w f} for a turn's symbols, and adds them up. */
  private double multiply(
      int turn, double[] p, int from, double[] own, double[] factors, double[] product) {
    int symbols = conditionals.turns().cardinality(turn);
    Arrays.fill(product, symbols, product.length, 0);
    double total = 0;
    for (int k = 0; k < symbols; k++) {
      double value = p[from + k];
      if (own != null) {
        value *= own[k];
      }
      if (factors != null) {
        value *= factors[k];
      }
      product[k] = value;
      total += value;
    }
    return total;
  }

  /** The symbol where a uniform number falls; never one that is impossible, unless all are. */
  private static int pick(double[] product, double total, double uniform) {
    double left = uniform * total;
    int last = 0;
    for (int k = 0; k < product.length; k++) {
      if (product[k] > 0) {
        last = k;
        left -= product[k];
        if (left < 0) {
          return k;
        }
      }
    }
    return last;
  }
}
