package io.ringflow.table;

import io.ringflow.internal.fit.FitRun;
import io.ringflow.model.FlowModel;
import io.ringflow.model.Metrics;
import io.ringflow.train.Batches;
import io.ringflow.train.FitOptions;
import io.ringflow.train.Trainer;
import io.ringflow.train.WarmStart;

/** Rows of which every symbol is known. */
final class CompleteRows extends LearnedRows {
  private final TableCodec codec;
  private final FitOptions options;
  private final int[][] train;
  private final int[][] validation;
  private final double extra;

  CompleteRows(TableCodec codec, TableCodec.Encoded rows, TrainingSplit split, FitOptions options) {
    this.codec = codec;
    this.options = options;
    train = TrainingSplit.select(rows.symbols(), split.training());
    validation = TrainingSplit.select(rows.symbols(), split.heldOut());
    extra = extra(rows, split.heldOut());
  }

  @Override
  int[][] train() {
    return train;
  }

  @Override
  int[][] observed() {
    return train;
  }

  @Override
  Batches batches() {
    return Batches.shuffled(train, batchSize(train.length), options.seed());
  }

  @Override
  boolean isDrafted() {
    return false;
  }

  @Override
  int[][] validation() {
    return validation;
  }

  @Override
  double validationLoss(double[] logProbs) {
    return Trainer.meanLoss(logProbs);
  }

  @Override
  void start(FlowModel model) {
    WarmStart.fitBase(model, train);
  }

  @Override
  Metrics metrics(FlowModel model, double deflated) {
    double nats = FitRun.meanLogProb(model, validation, options.group());
    double factorised = Marginals.of(codec.space(), train).meanLogProb(validation);
    double raw =
        codec.space().cardinalities().stream().mapToDouble(Integer::intValue).map(Math::log).sum();
    return new Metrics(
        "nats per row",
        validation.length + " rows",
        -nats - extra,
        -factorised - extra,
        raw - extra,
        deflated);
  }
}
