package io.ringflow.internal.engine;

import io.ringflow.core.Device;
import io.ringflow.core.TorchException;
import io.ringflow.spi.Scope;
import io.ringflow.spi.TensorTarget;
import io.ringflow.spi.Tensors;

/** Asks a target of tensors by plain arrays. */
public final class TensorWeights {
  private TensorWeights() {}

  /**
   * The log-weights of rows, computed on a device.
   *
   * @return as many as the target returns, in its order
   */
  public static double[] of(TensorTarget target, int[][] rows, Device device) {
    if (rows.length == 0) {
      return new double[0];
    }
    try (Scope scope = Scope.inference()) {
      return Tensors.toDoubles(
          target.logWeights(Tensors.ids(rows, rows[0].length, device)).flatten());
    } catch (RuntimeException e) {
      throw TorchException.translate(e);
    }
  }
}
