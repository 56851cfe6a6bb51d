package io.ringflow.table;

import io.ringflow.model.FlowModel;
import io.ringflow.model.Metrics;
import io.ringflow.train.Batches;
import io.ringflow.train.FitOptions;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The rows that a table's model is learned from, and those that are held out: to stop by, and to
 * say what was learned.
 */
abstract sealed class LearnedRows permits CompleteRows, IncompleteRows {
  private static final int MAX_BATCH = 256;
  private static final int MIN_BATCHES = 16;

  /**
   * The rows of a table: some of it is held out.
   *
   * @param rows of the codec
   */
  static LearnedRows of(TableCodec codec, TableCodec.Encoded rows, FitOptions options) {
    TrainingSplit split = TrainingSplit.of(rows.size(), options.seed());
    return IntStream.range(0, rows.size()).allMatch(row -> rows.missing(row).isEmpty())
        ? new CompleteRows(codec, rows, split, options)
        : new IncompleteRows(codec, rows, split, options);
  }

  static int batchSize(int rows) {
    return Math.max(1, Math.min(MAX_BATCH, rows / MIN_BATCHES));
  }

  /** Rows to choose an architecture by and to begin with; missing symbols are filled somehow. */
  abstract int[][] train();

  /** The same rows, -1 where a symbol is missing. */
  abstract int[][] observed();

  abstract Batches batches();

  /** Rows whose log-probabilities {@link #validationLoss} takes. */
  abstract int[][] validation();

  abstract double validationLoss(double[] logProbs);

  /**
   * Whether an architecture is to be chosen a second time, from rows as a first model fills them
   * (structural expectation maximisation; Friedman 1998).
   */
  abstract boolean isDrafted();

  /** Gives a model that is to learn what can be counted. */
  abstract void start(FlowModel model);

  /**
   * What a model has learned.
   *
   * @param deflated nats a row, by the usual compression
   */
  abstract Metrics metrics(FlowModel model, double deflated);

  /** The mean nats of naming rare values. */
  static double extra(TableCodec.Encoded rows, int[] which) {
    return Arrays.stream(which)
        .mapToDouble(row -> rows.logProbGivenSymbols()[row])
        .average()
        .orElse(0);
  }
}
