package io.ringflow.internal.fit;

import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.layer.Rearrangement;
import io.ringflow.train.Batches;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Samples rows under weights of data symbols, of models whose layers only rearrange positions. It
 * rejects nothing, so that what is rare takes no longer than what is common. The beginnings of
 * texts are given to a {@link ConditionalSampler}, which stays on the device.
 *
 * <ul>
 *   <li>Where nothing is free before the last position that has weights, each group is restricted
 *       to what is possible: exact.
 *   <li>Where the beginnings of rows up to there are few, one of them is sampled by its
 *       probability, and the rest of the row follows: exact.
 *   <li>Else rows are sampled by a {@link ProgressiveSampler} with lookahead, and some of them
 *       picked in proportion to their weights: exact in the limit of many.
 * </ul>
 */
public final class ConstrainedSampler {
  private static final String IMPOSSIBLE = "what is asked for has probability zero";
  private static final int BATCH = 1024;

  /** Rows sampled for one that is picked: at first, and at most, while their weights differ. */
  private static final int MIN_CANDIDATES = 8;

  private static final int MAX_CANDIDATES = 64;

  /** Independent samples that the candidates for one row should be worth. */
  private static final int ENOUGH = 4;

  private final Conditionals conditionals;
  private final Rearrangement positions;
  private final Supplier<ParentTables> tables;
  private final long maxSummed;

  /**
   * A sampler.
   *
   * @param tables for the lookahead, asked for where they are needed
   * @param maxSummed how many logits an enumeration of beginnings may take
   */
  public ConstrainedSampler(
      Conditionals conditionals,
      Rearrangement positions,
      Supplier<ParentTables> tables,
      long maxSummed) {
    this.conditionals = conditionals;
    this.positions = positions;
    this.tables = tables;
    this.maxSummed = maxSummed;
  }

  /**
   * Samples rows.
   *
   * @param weights from 0 to 1 of data symbols, by position; 1 where there are none
   * @param options precision and temperature
   * @param progress in rows of {@code count}
   * @throws IllegalStateException if the weights leave nothing
   */
  public ConditionalSampler.Sampled sample(
      int count,
      Map<Integer, double[]> weights,
      long seed,
      SamplingOptions options,
      ProgressListener progress) {
    SymbolWeights own = SymbolWeights.of(conditionals, positions, weights);
    var sum = new PrefixSum(conditionals, own, options.temperature());
    if (sum.size() == 0) {
      throw new IllegalStateException(IMPOSSIBLE);
    }
    boolean isFirst = sum.size() == 1;
    if (isFirst || sum.size() <= maxSummed / Math.max(1, sum.symbolsPerRow())) {
      int[][] beginnings = beginnings(count, sum, seed);
      var sampler = new ProgressiveSampler(conditionals, own, Lookahead.NONE);
      int[][] rows = rows(sampler, beginnings, seed, options, progress);
      return new ConditionalSampler.Sampled(rows, true, count);
    }
    return picked(count, own, seed, options, progress);
  }

  /** For each row one of the beginnings that are possible, by their probabilities. */
  private static int[][] beginnings(int count, PrefixSum sum, long seed) {
    double[] upTo = sum.products();
    Arrays.parallelPrefix(upTo, Double::sum);
    double total = upTo[upTo.length - 1];
    if (!(total > 0)) {
      throw new IllegalStateException(IMPOSSIBLE);
    }
    RandomGenerator random = new SplittableRandom(seed);
    int[][] beginnings = new int[count][];
    for (int row = 0; row < count; row++) {
      int found = Arrays.binarySearch(upTo, random.nextDouble() * total);
      int at = found >= 0 ? found + 1 : -found - 1;
      while (at > 0 && (at == upTo.length || upTo[at] == upTo[at - 1])) {
        at--; // behind the last that is possible
      }
      beginnings[row] = sum.beginning(at);
    }
    return beginnings;
  }

  private int[][] rows(
      ProgressiveSampler sampler,
      int[][] beginnings,
      long seed,
      SamplingOptions options,
      ProgressListener progress) {
    int groups = conditionals.groupStarts().length - 1;
    int[][] rows = new int[beginnings.length][];
    for (int from = 0; from < rows.length; from += BATCH) {
      int to = Math.min(rows.length, from + BATCH);
      long batchSeed = Batches.random(seed, from / BATCH).nextLong();
      int[][] part =
          sampler
              .sample(Arrays.copyOfRange(beginnings, from, to), groups, batchSeed, options)
              .rows();
      for (int i = 0; i < part.length; i++) {
        rows[from + i] = SymbolWeights.data(conditionals, positions, part[i]);
      }
      progress.done(to, rows.length);
    }
    return rows;
  }

  private ConditionalSampler.Sampled picked(
      int count, SymbolWeights own, long seed, SamplingOptions options, ProgressListener progress) {
    var sampler = new ProgressiveSampler(conditionals, own, new ParentLookahead(tables.get(), own));
    int groups = conditionals.groupStarts().length - 1;
    int most = Math.multiplyExact(count, MAX_CANDIDATES);
    int[][] rows = new int[most][];
    double[] logWeights = new double[most];
    var mean = new LogMean();
    int done = 0;
    while (done < count * MIN_CANDIDATES
        || (done < most && mean.effective() < ENOUGH * (double) count)) {
      int size = Math.min(BATCH, most - done);
      long batchSeed = Batches.random(seed, done / BATCH).nextLong();
      ProgressiveSampler.Weighted part =
          sampler.sample(new int[size][0], groups, batchSeed, options);
      for (int i = 0; i < size; i++) {
        rows[done + i] = SymbolWeights.data(conditionals, positions, part.rows()[i]);
      }
      System.arraycopy(part.logWeights(), 0, logWeights, done, size);
      mean.add(part.logWeights());
      done += size;
      progress.done(Math.min(count - 1, done / MIN_CANDIDATES), count);
    }
    ConditionalSampler.Sampled picked =
        new ConditionalSampler.Weighted(Arrays.copyOf(rows, done), Arrays.copyOf(logWeights, done))
            .pick(count, seed);
    progress.done(count, count);
    return picked;
  }
}
