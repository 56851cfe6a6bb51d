package io.ringflow.paper.experiment;

import io.ringflow.core.Precision;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Trial;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener.StopReason;
import io.ringflow.train.TrainingOptions;
import io.ringflow.train.WarmStart;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Restarts: trains several initial weights for a while each, and gives the model those that came
 * lowest on common rows of training data.
 *
 * <p>Straight-through training of a layer ends in one of many local optima, and which one is
 * decided early. Where a short training can already tell them apart, several short ones and the
 * best of them continued cost as much as one long training, and fail only where all of them do. All
 * are compared on the same rows, because of these only the difference counts, which is far more
 * certain than either loss.
 *
 * @param starts how many initial weights are tried
 * @param options of each short training
 * @param batches training data by seed; every start has a seed of its own
 * @param compared rows of training data that decide; never of a test
 * @param seed decides the seeds of all starts
 */
record BestStart(
    int starts,
    TrainingOptions options,
    LongFunction<Batches> batches,
    Supplier<Batch> compared,
    long seed)
    implements Trial.Preparation {
  /** Checks the number of starts. */
  BestStart {
    if (starts < 1) {
      throw new IllegalArgumentException("starts must be at least 1, but is " + starts);
    }
  }

  @Override
  public void prepare(FlowModel model) throws IOException {
    Batch rows = compared.get();
    var seeds = new SplittableRandom(seed);
    double lowest = Double.POSITIVE_INFINITY;
    for (int start = 0; start < starts; start++) {
      long own = seeds.nextLong();
      try (FlowModel candidate = FlowModel.create(model.architecture(), model.device(), own)) {
        if (new Trainer(candidate, options).train(batches.apply(own)).reason()
            == StopReason.INTERRUPTED) {
          throw new CancellationException("interrupted");
        }
        double[] logProbs = candidate.logProb(rows.rows(), rows.condition(), Precision.FLOAT32);
        double loss = -Arrays.stream(logProbs).average().orElseThrow();
        if (loss < lowest) {
          lowest = loss;
          copy(candidate, model);
        }
      }
    }
  }

  private static void copy(FlowModel source, FlowModel target) {
    for (int layer = 0; layer < target.architecture().layers().size(); layer++) {
      WarmStart.copyLayer(source, layer, target, layer);
    }
    WarmStart.copyBase(source, target);
  }
}
