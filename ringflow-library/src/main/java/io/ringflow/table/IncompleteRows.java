package io.ringflow.table;

import io.ringflow.core.ProgressListener;
import io.ringflow.model.FlowModel;
import io.ringflow.model.Metrics;
import io.ringflow.train.Batches;
import io.ringflow.train.FitOptions;
import java.util.Arrays;

/**
 * Rows some of whose symbols are missing and summed out: {@link RedrawnBatches} to learn from, an
 * {@link ObservedLoss} to stop by, and in the end the log-likelihood of what is observed of some
 * held-out rows, by what the model itself says of the rest.
 */
final class IncompleteRows extends LearnedRows {
  /** Rows that the model is measured on: each may take many samples. */
  private static final int MAX_MEASURED = 1000;

  private static final int SAMPLES = 32;

  private final TableCodec codec;
  private final TableCodec.Encoded rows;
  private final FitOptions options;
  private final int[][] observed; // of training
  private final int[] heldOut; // those that are measured
  private final RedrawnBatches batches;
  private final ObservedLoss loss;

  IncompleteRows(
      TableCodec codec, TableCodec.Encoded rows, TrainingSplit split, FitOptions options) {
    this.codec = codec;
    this.rows = rows;
    this.options = options;
    int[][] all = rows.observed();
    observed = TrainingSplit.select(all, split.training());
    heldOut = Arrays.copyOf(split.heldOut(), Math.min(MAX_MEASURED, split.heldOut().length));
    var tree = new ProposalTree(codec.space(), observed);
    batches =
        new RedrawnBatches(
            observed, tree, batchSize(observed.length), options.seed(), options.group());
    loss = new ObservedLoss(TrainingSplit.select(all, split.heldOut()), tree, options.seed());
  }

  @Override
  int[][] train() {
    return batches.rows();
  }

  @Override
  int[][] observed() {
    return observed;
  }

  @Override
  Batches batches() {
    return batches;
  }

  @Override
  int[][] validation() {
    return loss.rows();
  }

  @Override
  double validationLoss(double[] logProbs) {
    return loss.of(logProbs);
  }

  @Override
  void start(FlowModel model) {
    batches.start(model);
  }

  @Override
  Metrics metrics(FlowModel model, double deflated) {
    double[] nats = new double[1];
    int[] estimated = new int[1];
    new ConditionQueries(model, codec)
        .completions(
            new MissingCells(codec, rows), SAMPLES, options.seed(), RowCompletions.MAX_LISTED)
        .visit(
            heldOut,
            ProgressListener.IGNORED.untilInterrupted(),
            (row, found) -> {
              nats[0] += found.logKnown() / heldOut.length;
              estimated[0] += found.exact() ? 0 : 1;
            });
    int[][] measured = TrainingSplit.select(rows.observed(), heldOut);
    double factorised = Marginals.of(codec.space(), observed).meanLogProb(measured);
    double extra = extra(rows, heldOut);
    return new Metrics(
        "nats per row",
        String.format(
            "observed cells of %d rows%s",
            heldOut.length, estimated[0] > 0 ? ", estimated" : ""),
        -nats[0] - extra,
        -factorised - extra,
        raw(measured) - extra,
        deflated);
  }

  private double raw(int[][] measured) {
    double sum = 0;
    for (int[] row : measured) {
      for (int d = 0; d < row.length; d++) {
        sum += row[d] < 0 ? 0 : Math.log(codec.space().cardinality(d));
      }
    }
    return sum / measured.length;
  }
}
