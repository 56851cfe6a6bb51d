package io.ringflow.table;

import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.fit.LogMean;
import io.ringflow.internal.fit.ParentLookahead;
import io.ringflow.internal.fit.ParentTables;
import io.ringflow.internal.fit.ProgressiveSampler;
import io.ringflow.internal.fit.SymbolWeights;
import io.ringflow.layer.Rearrangement;
import io.ringflow.model.FlowModel;
import io.ringflow.train.Batches;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The completions of rows with missing cells, each with its probability: all of them where they are
 * few, else progressive samples, of many rows at a time.
 */
final class RowCompletions {
  /** Completions of a row that are all looked at, rather than samples of them. */
  static final int MAX_LISTED = 1024;

  /** Where layers move symbols there are no samples to look at instead. */
  private static final int MAX_LISTED_MOVED = 1 << 16;

  /** Rows that are evaluated together. */
  private static final int BATCH = 1 << 13;

  private static final int SAMPLED_BATCH = 2048;
  private static final int[][] NONE = {};

  private final FlowModel flow;
  private final Conditionals conditionals;
  private final Supplier<ParentTables> tables;
  private final MissingCells cells;
  private final int samples;
  private final long seed;
  private final int maxListed;

  /**
   * The completions of a table's rows.
   *
   * @param tables for the lookahead, asked for where they are needed
   * @param samples of a row with more than {@code maxListed} completions
   */
  RowCompletions(
      FlowModel flow,
      Conditionals conditionals,
      Supplier<ParentTables> tables,
      MissingCells cells,
      int samples,
      long seed,
      int maxListed) {
    this.flow = flow;
    this.conditionals = conditionals;
    this.tables = tables;
    this.cells = cells;
    this.samples = samples;
    this.seed = seed;
    this.maxListed = flow.architecture().movesSymbols() ? MAX_LISTED_MOVED : maxListed;
  }

  /**
   * Completions of one row.
   *
   * @param rows of symbols
   * @param logProbs of the rows
   * @param logWeights in proportion to which the rows are samples; their mean is the probability of
   *     what is known, their sum where all completions are there
   * @param exact whether all completions are there
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Found(int[][] rows, double[] logProbs, double[] logWeights, boolean exact) {
    /** The log-probability of what is known of the row. */
    double logKnown() {
      return logSum(logWeights) - (exact ? 0 : Math.log(logWeights.length));
    }

    /** The likeliest of the rows; borrowed. */
    int[] likeliest() {
      int best = 0;
      for (int i = 1; i < rows.length; i++) {
        best = logProbs[i] > logProbs[best] ? i : best;
      }
      return rows[best];
    }

    /** How many independent samples these are worth; 0 where all completions are there. */
    double effective() {
      if (exact) {
        return 0;
      }
      var mean = new LogMean();
      mean.add(logWeights);
      return mean.effective();
    }
  }

  static double logSum(double[] logs) {
    double largest = Arrays.stream(logs).max().orElse(Double.NEGATIVE_INFINITY);
    return largest == Double.NEGATIVE_INFINITY
        ? largest
        : largest + Math.log(Arrays.stream(logs).map(log -> Math.exp(log - largest)).sum());
  }

  /** Sees the completions of rows, in no particular order. */
  @FunctionalInterface
  interface Visitor {
    void row(int row, Found found);
  }

  /**
   * Shows the completions of some rows.
   *
   * @param progress in rows
   * @throws IllegalStateException if layers move symbols, and a row has too many completions
   */
  void visit(int[] which, ProgressListener progress, Visitor visitor) {
    int[] listed = IntStream.of(which).filter(row -> cells.completions(row) <= maxListed).toArray();
    int[] sampled = IntStream.of(which).filter(row -> cells.completions(row) > maxListed).toArray();
    if (flow.architecture().movesSymbols() && sampled.length > 0) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "row %,d has more than %,d completions, and this model, whose layers move symbols, must"
                  + " look at all; an autoregressive model need not",
              sampled[0] + 1,
              maxListed));
    }
    int done = 0;
    for (int from = 0; from < listed.length; ) {
      int to = from;
      long rows = 0;
      while (to < listed.length && (to == from || rows + cells.completions(listed[to]) <= BATCH)) {
        rows += cells.completions(listed[to++]);
      }
      list(Arrays.copyOfRange(listed, from, to), (int) rows, visitor);
      done += to - from;
      from = to;
      progress.done(done, which.length);
    }
    int together = Math.max(1, SAMPLED_BATCH / samples);
    for (int from = 0; from < sampled.length; from += together) {
      int to = Math.min(sampled.length, from + together);
      sample(Arrays.copyOfRange(sampled, from, to), visitor);
      done += to - from;
      progress.done(done, which.length);
    }
  }

  private void list(int[] which, int count, Visitor visitor) {
    int[][] all = new int[count][];
    int at = 0;
    for (int row : which) {
      for (long number = 0; number < cells.completions(row); number++) {
        all[at++] = cells.completion(row, number);
      }
    }
    double[] logProbs = flow.logProb(all, NONE, Precision.FLOAT64, ProgressListener.IGNORED);
    at = 0;
    for (int row : which) {
      int to = at + (int) cells.completions(row);
      double[] own = Arrays.copyOfRange(logProbs, at, to);
      visitor.row(row, new Found(Arrays.copyOfRange(all, at, to), own, own, true));
      at = to;
    }
  }

  private void sample(int[] which, Visitor visitor) {
    Rearrangement positions = flow.architecture().positions();
    List<ProgressiveSampler.Target> targets = new ArrayList<>();
    for (int row : which) {
      Map<Integer, double[]> shares = new HashMap<>();
      for (int column = 0; column < cells.symbols(row).length; column++) {
        shares.put(column, cells.shares(row, column));
      }
      SymbolWeights weights = SymbolWeights.of(conditionals, positions, shares);
      targets.add(
          new ProgressiveSampler.Target(weights, new ParentLookahead(tables.get(), weights)));
    }
    ProgressiveSampler.Weighted found =
        new ProgressiveSampler(conditionals, targets, samples)
            .sample(
                new int[which.length * samples][0],
                conditionals.groupStarts().length - 1,
                Batches.random(seed, which[0]).nextLong(),
                SamplingOptions.DEFAULTS.withPrecision(Precision.FLOAT32));
    for (int i = 0; i < which.length; i++) {
      int from = i * samples;
      int[][] rows = new int[samples][];
      for (int j = 0; j < samples; j++) {
        rows[j] = SymbolWeights.data(conditionals, positions, found.rows()[from + j]);
      }
      visitor.row(
          which[i],
          new Found(
              rows,
              Arrays.copyOfRange(found.logProbs(), from, from + samples),
              Arrays.copyOfRange(found.logWeights(), from, from + samples),
              false));
    }
  }
}
