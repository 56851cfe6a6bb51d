package io.ringflow.paper.experiment;

import io.ringflow.core.Space;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Estimate;
import io.ringflow.paper.harness.Trial.Measure;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import java.util.Arrays;
import java.util.List;

/**
 * Rows in three parts, as experiments on tables want them.
 *
 * @param setting names them, as in {@link io.ringflow.paper.harness.Result}
 * @param space of a row
 * @param train to learn from
 * @param validation to choose weights by
 * @param test scored once
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record HeldOutRows(String setting, Space space, int[][] train, int[][] validation, int[][] test) {
  /** What a model pays for a row of a part, in nats. */
  static double[] costs(FlowModel model, int[][] rows) {
    return Arrays.stream(model.logProb(rows)).map(logProb -> -logProb).toArray();
  }

  Batches batches(int size, long seed) {
    return Batches.shuffled(train, size, seed);
  }

  Batch validationBatch() {
    return Batch.of(validation);
  }

  Batch refitBatch() {
    return Batch.of(train);
  }

  /** A model's results on test rows, and on those its weights were chosen by. */
  List<Measure> measure(FlowModel model, Double floor) {
    return List.of(
        Measure.estimated("nll", "nats", Estimate.mean(costs(model, test)), floor, null),
        Measure.estimated(
            "validation nll", "nats", Estimate.mean(costs(model, validation)), floor, null));
  }
}
