package io.ringflow.table;

import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.internal.checks.Interruption;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.fit.ConditionalSampler;
import io.ringflow.internal.fit.ConstrainedSampler;
import io.ringflow.internal.fit.LogMean;
import io.ringflow.internal.fit.ParentLookahead;
import io.ringflow.internal.fit.ParentTables;
import io.ringflow.internal.fit.PrefixSum;
import io.ringflow.internal.fit.ProgressiveSampler;
import io.ringflow.internal.fit.SymbolWeights;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.train.Batches;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Probabilities of conditions under a table's model: exact sums where they are short, else
 * progressive sampling with lookahead; where layers move symbols, plain samples.
 *
 * <p>Safe from several threads at once.
 */
final class ConditionQueries {
  /**
   * Rows times the symbols they have logits for: an exact sum of so many takes no time to notice.
   */
  private static final long QUICK_SYMBOLS = 1 << 19;

  /** Rows of an exact sum that was asked for. */
  private static final long MAX_ROWS = 1 << 20;

  /** What the first estimate of an error is made from. */
  private static final int FIRST_SAMPLES = 64;

  private static final int MAX_BATCH = 2048;

  /** Below this tolerance float32 would show. */
  private static final double FLOAT32_TOLERANCE = 1e-3;

  private final FlowModel flow;
  private final Architecture architecture;
  private final TableCodec codec;
  private final Conditionals conditionals;
  private final long quickSymbols;
  private ParentTables tables;

  ConditionQueries(FlowModel flow, TableCodec codec) {
    this(flow, codec, QUICK_SYMBOLS);
  }

  /**
   * Queries with another idea of what is quick.
   *
   * @param quickSymbols 0 for no sum at all
   */
  ConditionQueries(FlowModel flow, TableCodec codec, long quickSymbols) {
    this.flow = flow;
    this.architecture = flow.architecture();
    this.codec = codec;
    this.conditionals = new Conditionals(EngineAccess.of(flow));
    this.quickSymbols = quickSymbols;
  }

  /** Learned by the first query that needs them. */
  synchronized ParentTables tables() {
    if (tables == null) {
      tables = ParentTables.of(conditionals, architecture.base());
    }
    return tables;
  }

  /** What the model says of rows with each of a column's symbols. */
  ColumnLogProbs each(int column) {
    return new ColumnLogProbs(flow, conditionals, column);
  }

  /**
   * The completions of rows.
   *
   * @param maxListed how many of a row are all looked at
   */
  RowCompletions completions(MissingCells cells, int samples, long seed, int maxListed) {
    return new RowCompletions(flow, conditionals, this::tables, cells, samples, seed, maxListed);
  }

  /** The completions of rows in places that are summed out. */
  RowCompletions completions(TableCodec.Encoded rows) {
    return completions(
        new MissingCells(codec, rows),
        CompletionOptions.DEFAULTS.samples(),
        CompletionOptions.DEFAULTS.seed(),
        RowCompletions.MAX_LISTED);
  }

  /** Rows whose missing values, where summed out, are the likeliest that were looked at. */
  TableCodec.Encoded filled(TableCodec.Encoded rows) {
    int[] open = IntStream.range(0, rows.size()).filter(i -> !rows.missing(i).isEmpty()).toArray();
    Map<Integer, int[]> likeliest = new HashMap<>();
    completions(rows)
        .visit(
            open,
            ProgressListener.IGNORED.untilInterrupted(),
            (row, found) -> likeliest.put(row, found.likeliest()));
    return rows.with(likeliest);
  }

  Probability probability(Condition condition, ProbabilityOptions options) {
    BoundCondition bound = BoundCondition.of(condition, codec);
    if (bound.isImpossible()) {
      return Probability.ZERO;
    }
    return architecture.movesSymbols()
        ? ofMovedSymbols(bound.shares(), options)
        : ofRearranged(bound.shares(), options);
  }

  /** P(condition | given): of estimates the quotient, whose relative errors add up as squares. */
  Probability probability(Condition condition, Condition given, ProbabilityOptions options) {
    if (given.terms().isEmpty()) {
      return probability(condition, options);
    }
    ProbabilityOptions each = options.withTolerance(options.tolerance() / Math.sqrt(2));
    Probability below = probability(given, each);
    if (below.value() == 0) {
      throw new IllegalStateException(
          below.exact()
              ? "what is given has probability 0"
              : "none of "
                  + below.samples()
                  + " samples is as given: its probability is too small");
    }
    Probability both = probability(condition.and(given), each.withSeed(each.seed() ^ 0x5DEECE66DL));
    if (both.exact() && both.value() == 0) {
      return Probability.ZERO;
    }
    double value = Math.min(1, both.value() / below.value());
    double error =
        Math.hypot(
            both.standardError() / below.value(), value * below.standardError() / below.value());
    return new Probability(value, error, both.samples() + below.samples());
  }

  private Probability ofRearranged(Map<Integer, double[]> shares, ProbabilityOptions options) {
    SymbolWeights weights = SymbolWeights.of(conditionals, architecture.positions(), shares);
    var sum = new PrefixSum(conditionals, weights);
    if (isShort(sum.size(), sum.symbolsPerRow(), options)) {
      return Probability.exactly(sum.value());
    }
    var sampler =
        new ProgressiveSampler(conditionals, weights, new ParentLookahead(tables(), weights));
    SamplingOptions sampling =
        SamplingOptions.DEFAULTS.withPrecision(
            options.tolerance() < FLOAT32_TOLERANCE ? Precision.FLOAT64 : Precision.FLOAT32);
    return estimate(
        (rows, seed) ->
            sampler.sample(new int[rows][0], sampler.neededGroups(), seed, sampling).logWeights(),
        options);
  }

  private boolean isShort(long rows, long symbolsPerRow, ProbabilityOptions options) {
    if (options.tolerance() > 0) {
      return rows <= quickSymbols / Math.max(1, symbolsPerRow);
    }
    if (rows > MAX_ROWS) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "exactly, this is a sum over %s beginnings of rows, and at most %,d are summed; a"
                  + " tolerance above 0 estimates it",
              rows == Long.MAX_VALUE ? "more than 10^18" : String.format(Locale.ROOT, "%,d", rows),
              MAX_ROWS));
    }
    return true;
  }

  private Probability ofMovedSymbols(Map<Integer, double[]> shares, ProbabilityOptions options) {
    var rows = new PossibleRows(codec.space(), shares);
    if (isShort(
        rows.size(), codec.space().cardinalities().stream().mapToInt(k -> k).sum(), options)) {
      return Probability.exactly(rows.sum(flow));
    }
    return estimate(
        (count, seed) -> {
          double[] logWeights = new double[count];
          int[][] sampled = flow.sample(count, seed, Precision.FLOAT64);
          for (int i = 0; i < count; i++) {
            logWeights[i] = Math.log(rows.weight(sampled[i]));
          }
          return logWeights;
        },
        options);
  }

  /**
   * Samples rows of symbols.
   *
   * @param shares of each symbol's values that are left, by column
   */
  ConditionalSampler.Sampled sample(
      int count,
      Map<Integer, double[]> shares,
      long seed,
      SamplingOptions options,
      ProgressListener progress) {
    if (shares.isEmpty()) {
      return new ConditionalSampler(flow).sample(count, Map.of(), seed, options, progress);
    }
    if (architecture.movesSymbols()) {
      var rows = new PossibleRows(codec.space(), shares);
      return new ConditionalSampler(flow)
          .sampleAccepted(count, rows::weight, seed, options, progress);
    }
    return new ConstrainedSampler(
            conditionals, architecture.positions(), this::tables, quickSymbols)
        .sample(count, shares, seed, options, progress);
  }

  /** Samples rows, and says the logarithms of their weights. */
  @FunctionalInterface
  private interface Samples {
    double[] logWeights(int rows, long seed);
  }

  /** Samples until the error is small enough, or there are enough. */
  private static Probability estimate(Samples samples, ProbabilityOptions options) {
    var mean = new LogMean();
    for (int batch = 0; mean.count() < options.maxSamples(); batch++) {
      Interruption.check();
      int left = options.maxSamples() - (int) mean.count();
      int rows = Math.min(left, batch == 0 ? FIRST_SAMPLES : wanted(mean, options));
      mean.add(samples.logWeights(rows, Batches.random(options.seed(), batch).nextLong()));
      if (mean.relativeError() <= options.tolerance()) {
        break;
      }
    }
    // Where all weights are 0, one of 1 was as likely to be missed as not at this probability.
    double error = mean.mean() == 0 ? 1.0 / mean.count() : mean.mean() * mean.relativeError();
    return new Probability(Math.min(1, mean.mean()), error, (int) mean.count());
  }

  /** How many more samples the tolerance takes, if the error falls as it should. */
  private static int wanted(LogMean mean, ProbabilityOptions options) {
    double share = mean.relativeError() / options.tolerance();
    double more = mean.count() * (share * share - 1) * 1.1 + 1;
    return (int) Math.min(MAX_BATCH, Math.max(FIRST_SAMPLES / 2, more));
  }
}
