package io.ringflow.internal.fit;

import io.ringflow.distributed.ProcessGroup;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.train.Batches;
import io.ringflow.train.FitOptions;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener.StopReason;
import io.ringflow.train.TrainingListener.TrainingReport;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CancellationException;

/**
 * A training of somebody's own data, whatever it is.
 *
 * @param architecture of the model
 * @param training how to train it
 * @param batches to learn from
 * @param validation rows to stop by
 * @param start what to do with the model before
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FitRun(
    Architecture architecture,
    TrainingOptions training,
    Batches batches,
    int[][] validation,
    Start start) {
  /** Prepares a model. */
  @FunctionalInterface
  public interface Start {
    /** As it was made. */
    Start AS_MADE = model -> {};

    void on(FlowModel model);
  }

  /** The mean log-probability of the validation rows, each scored by one process of the team. */
  public static double meanScore(FlowModel model, int[][] rows, ProcessGroup group) {
    double[] scores =
        group.sharded(rows.length, (from, to) -> model.logProb(Arrays.copyOfRange(rows, from, to)));
    return Arrays.stream(scores).average().orElseThrow();
  }

  /** Trains a new model. */
  public FlowModel run(FitOptions options) throws IOException {
    FlowModel model = FlowModel.create(architecture, options.device(), options.seed());
    if (architecture.space().maxCardinality() == 1) {
      return model; // there is but one row, which is certain: nothing to learn
    }
    try {
      start.on(model);
      Trainer trainer =
          new Trainer(model, training)
              .group(options.group())
              .validation(validation)
              .listener(options.listener());
      if (options.checkpoints() != null) {
        trainer.checkpoints(options.checkpoints());
      }
      TrainingReport report = trainer.train(batches);
      if (report.reason() == StopReason.INTERRUPTED) {
        throw new CancellationException("interrupted");
      }
      return model;
    } catch (IOException | RuntimeException | Error e) {
      model.close();
      throw e;
    }
  }
}
