package io.ringflow.train;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.internal.engine.Weights;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;

/** Gives every process of a group the state of training that rank 0 begins with or resumes from. */
record StateBroadcast(
    ProcessGroup group,
    Weights weights,
    WeightUpdate optimizer,
    BestWeights best,
    AverageWeights average,
    Batches batches) {
  /**
   * Broadcasts the state.
   *
   * @param found where rank 0's checkpoint stands, if it has one; nothing on the others
   * @return the same for all
   */
  Optional<CheckpointFolder.Position> of(Optional<CheckpointFolder.Position> found) {
    if (group == ProcessGroup.single()) {
      return found;
    }
    try (Scope scope = Scope.inference()) {
      WarmStart.broadcast(weights, group);
      double[] told = broadcast(numbers(found));
      if (told[0] == 0) {
        return Optional.empty();
      }
      group.broadcast(optimizer.firstMoment());
      group.broadcast(optimizer.secondMoment());
      var position =
          new CheckpointFolder.Position(
              (long) told[1], told[2], told[3], told[4], (long) told[5], (int) told[6]);
      if (told[7] == 1) {
        group.broadcast(best.values());
      }
      if (told[8] == 1) {
        group.broadcast(average.values());
      }
      best.resume(position.bestLoss(), position.evaluatedAt(), position.evaluationsSince());
      broadcastBatches();
      return Optional.of(position);
    }
  }

  private double[] numbers(Optional<CheckpointFolder.Position> found) {
    return found
        .map(
            at ->
                new double[] {
                  1,
                  at.step(),
                  at.seconds(),
                  at.loss(),
                  at.bestLoss(),
                  at.evaluatedAt(),
                  at.evaluationsSince(),
                  best.found() ? 1 : 0,
                  average.found() ? 1 : 0
                })
        .orElseGet(() -> new double[9]);
  }

  /** As many bytes for all processes, because they have the same data. */
  private void broadcastBatches() {
    byte[] state = batches.state();
    if (state.length > 0) {
      int numbers = (state.length + Integer.BYTES - 1) / Integer.BYTES;
      ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOf(state, numbers * Integer.BYTES));
      long[] packed = new long[numbers];
      Arrays.setAll(packed, i -> bytes.getInt(i * Integer.BYTES));
      Tensor told = Tensors.longs(packed, Device.CPU, 1, numbers);
      group.broadcast(told);
      bytes.asIntBuffer().put(Tensors.toRows(told)[0]);
      batches.restore(Arrays.copyOf(bytes.array(), state.length));
    }
  }

  /** As they are, and not added up: a loss may be no number yet, and the best one infinite. */
  private double[] broadcast(double[] numbers) {
    Tensor told = Tensors.reals(numbers, Precision.FLOAT64, Device.CPU, numbers.length);
    group.broadcast(told);
    return Tensors.toDoubles(told);
  }
}
