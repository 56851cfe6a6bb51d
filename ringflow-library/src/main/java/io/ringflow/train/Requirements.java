package io.ringflow.train;

import io.ringflow.Architecture;
import io.ringflow.Chain;
import io.ringflow.FactorizedBase;
import io.ringflow.FlowModel;
import io.ringflow.Layer;
import io.ringflow.Reorder;
import io.ringflow.torch.Device;
import io.ringflow.torch.Precision;

/** What some options need of the model they train. */
final class Requirements {
  /** Set by tests, on processors that are known to compute in 16 bits. */
  private static final String HALF_ON_CPU = "ringflow.bfloat16OnCpu";

  private Requirements() {}

  /**
   * Checks options against a model.
   *
   * @throws IllegalArgumentException if they do not go together
   */
  static void check(FlowModel model, TrainingOptions options) {
    if (options.precision() == Precision.BFLOAT16
        && model.device() == Device.CPU
        && !Boolean.getBoolean(HALF_ON_CPU)) {
      throw new IllegalArgumentException(
          "precision BFLOAT16 needs a GPU: some processors claim 16-bit products and then crash");
    }
    Architecture architecture = model.architecture();
    boolean factorised =
        architecture.base() instanceof FactorizedBase base && base.network() == null;
    if (options.objective() == Objective.MIXTURE
        && (!factorised || architecture.layers().stream().anyMatch(Requirements::reorders))) {
      throw new IllegalArgumentException(
          "objective MIXTURE needs a factorised base without a network, and no Reorder layers");
    }
    if (options.baseFollows() > 0 && !factorised) {
      throw new IllegalArgumentException("baseFollows needs a factorised base without a network");
    }
  }

  private static boolean reorders(Layer layer) {
    return layer instanceof Reorder
        || (layer instanceof Chain chain
            && chain.layers().stream().anyMatch(Requirements::reorders));
  }
}
