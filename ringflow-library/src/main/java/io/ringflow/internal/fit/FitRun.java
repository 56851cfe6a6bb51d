package io.ringflow.internal.fit;

import io.ringflow.distributed.ProcessGroup;
import io.ringflow.internal.checks.Interruption;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.natives.Versions;
import io.ringflow.internal.store.Json;
import io.ringflow.model.Architecture;
import io.ringflow.model.Codec;
import io.ringflow.model.FlowModel;
import io.ringflow.model.Metrics;
import io.ringflow.model.Provenance;
import io.ringflow.train.Batches;
import io.ringflow.train.FitOptions;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener.StopReason;
import io.ringflow.train.TrainingListener.TrainingReport;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * A training of one's own data, of whatever kind.
 *
 * @param architecture of the model
 * @param codec what its symbols stand for
 * @param training how to train it
 * @param batches to learn from
 * @param validation rows to stop by
 * @param validationLoss of what the model says of them
 * @param warmStart what to do with the new model before training
 * @param metrics of the trained model
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FitRun(
    Architecture architecture,
    Codec codec,
    TrainingOptions training,
    Batches batches,
    int[][] validation,
    ToDoubleFunction<double[]> validationLoss,
    Consumer<FlowModel> warmStart,
    Measure metrics) {
  /** Measures what a model has learned. */
  @FunctionalInterface
  public interface Measure {
    /** The metrics of a trained model. */
    Metrics of(FlowModel model) throws IOException;
  }

  /** The mean log-probability of rows, each scored by one process of the group. */
  public static double meanLogProb(FlowModel model, int[][] rows, ProcessGroup group) {
    double[] scores =
        group.sharded(rows.length, (from, to) -> model.logProb(Arrays.copyOfRange(rows, from, to)));
    return Arrays.stream(scores).average().orElseThrow();
  }

  /** Trains and measures a new model. */
  public FlowModel run(FitOptions options) throws IOException {
    FlowModel model = FlowModel.create(architecture, codec, options.device(), options.seed());
    try {
      if (architecture.space().maxCardinality() > 1) {
        warmStart.accept(model);
        train(model, options);
      } else {
        EngineAccess.setProvenance(model, nothingToLearn(model));
      }
      String family = options.family().name().toLowerCase(Locale.ROOT);
      var fit = new Provenance.Fit(options.source(), options.seed(), family, metrics.of(model));
      EngineAccess.setProvenance(model, model.provenance().orElseThrow().with(fit));
      return model;
    } catch (IOException | RuntimeException | Error e) {
      model.close();
      throw e;
    }
  }

  /** The record of no training at all, of data with but one row, which is certain. */
  private Provenance nothingToLearn(FlowModel model) {
    return new Provenance(
        Versions.ringflow(),
        Versions.libtorch(),
        Runtime.version().toString(),
        model.device().toString(),
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        batches.description(),
        0,
        0,
        0,
        null,
        StopReason.COMPLETED.name(),
        Json.plain(training),
        null);
  }

  private void train(FlowModel model, FitOptions options) throws IOException {
    Trainer trainer =
        new Trainer(model, training)
            .group(options.group())
            .validation(validation, validationLoss)
            .listener(options.listener());
    if (options.checkpoints() != null) {
      trainer.checkpoints(options.checkpoints());
    }
    TrainingReport report = trainer.train(batches);
    if (report.reason() == StopReason.INTERRUPTED) {
      throw Interruption.cancelled(); // here, or on another process of the group
    }
  }
}
