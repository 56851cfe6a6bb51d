package io.ringflow.infer;

import io.ringflow.core.Device;
import io.ringflow.internal.engine.TensorWeights;
import io.ringflow.spi.TensorTarget;
import java.util.Arrays;

/** A target whose answers are looked at, asked by tensors where it can be and they are faster. */
final class CheckedTarget implements Target {
  private final Target target;
  private final TensorTarget onTensors; // null where plain arrays are weighed
  private final Device device;

  /** Asked by plain arrays. */
  CheckedTarget(Target target) {
    this(target, null, Device.CPU);
  }

  /**
   * Asked by tensors.
   *
   * @param onTensors the same target; null to ask by plain arrays after all
   * @param device where to compute
   */
  CheckedTarget(Target target, TensorTarget onTensors, Device device) {
    this.target = target;
    this.onTensors = onTensors;
    this.device = device;
  }

  /** Asked for samples of a model that is on a device. */
  static CheckedTarget on(Device device, Target target) {
    return new CheckedTarget(target, device == Device.CPU ? null : onTensors(target), device);
  }

  /** The form of a target that works on tensors; null if it has none. */
  static TensorTarget onTensors(Target target) {
    if (target instanceof FactorGraph graph) {
      return graph.onTensors();
    }
    return target instanceof TensorTarget tensors ? tensors : null;
  }

  /**
   * The log-weights of the rows, each a number or minus infinity.
   *
   * @throws IllegalStateException naming the first row with another, or how many are missing
   */
  @Override
  public double[] logWeights(int[][] rows) {
    double[] logWeights =
        onTensors == null ? target.logWeights(rows) : TensorWeights.of(onTensors, rows, device);
    if (logWeights == null || logWeights.length != rows.length) {
      throw new IllegalStateException(
          "the target must return a log-weight for each row, but returned "
              + (logWeights == null ? "null" : logWeights.length)
              + " for "
              + rows.length
              + " rows");
    }
    for (int i = 0; i < rows.length; i++) {
      if (Double.isNaN(logWeights[i]) || logWeights[i] == Double.POSITIVE_INFINITY) {
        throw new IllegalStateException(
            "the target's log-weights must be numbers or minus infinity, but that of row "
                + Arrays.toString(rows[i])
                + " is "
                + logWeights[i]);
      }
    }
    return logWeights;
  }
}
