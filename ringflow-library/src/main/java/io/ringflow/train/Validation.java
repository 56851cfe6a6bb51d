package io.ringflow.train;

import io.ringflow.core.Precision;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.model.FlowModel;
import java.util.function.ToDoubleFunction;

/**
 * What tells good weights from better ones.
 *
 * @param rows held out of training; may be none
 * @param loss in nats, of all rows' log-probabilities
 */
record Validation(Batch rows, ToDoubleFunction<double[]> loss) {
  /** No rows, so that nothing is ever scored. */
  static final Validation NONE = new Validation(Batch.of(new int[0][]), Trainer::meanLoss);

  boolean hasRows() {
    return rows.rows().length > 0;
  }

  /** The loss of a model as it is, computed by all processes of a group. */
  double lossOf(FlowModel model, ProcessGroup group) {
    double[] scores =
        group.sharded(
            rows.rows().length,
            (from, to) -> {
              Batch part = rows.part(from, to);
              return model.logProb(part.rows(), part.condition(), Precision.FLOAT32);
            });
    return loss.applyAsDouble(scores);
  }
}
