package io.ringflow.train;

import io.ringflow.core.Device;
import io.ringflow.core.Objective;
import io.ringflow.core.Precision;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Layer;
import io.ringflow.model.FlowModel;

/** What training options need of the model they train. */
final class Requirements {
  /** Set by tests, on CPUs that are known to compute in bfloat16. */
  private static final String BFLOAT16_ON_CPU = "ringflow.bfloat16OnCpu";

  private Requirements() {}

  /**
   * Checks options against a model.
   *
   * @throws IllegalArgumentException if they do not go together
   */
  static void check(FlowModel model, TrainingOptions options) {
    if (options.precision() == Precision.BFLOAT16
        && model.device() == Device.CPU
        && !Boolean.getBoolean(BFLOAT16_ON_CPU)) {
      throw new IllegalArgumentException(
          "precision BFLOAT16 needs a GPU: some CPUs claim bfloat16 products and then crash");
    }
    Objective objective = options.objective();
    Chain layers = new Chain(model.architecture().layers());
    for (Layer layer : layers.flatten()) {
      if (!layer.trainableBy().contains(objective)) {
        throw new IllegalArgumentException(
            "objective %s can't train %s: use one of %s"
                .formatted(objective, layer.summary(), layer.trainableBy()));
      }
    }
    boolean hasMarginals = EngineAccess.of(model).base().marginals().isPresent();
    if (objective == Objective.MIXTURE
        && (!hasMarginals || layers.flatten().stream().anyMatch(Layer::rearranges))) {
      throw new IllegalArgumentException(
          "objective MIXTURE needs a factorised base without a network, and no Reorder or Pack"
              + " layers");
    }
    if (objective == Objective.STRAIGHT_THROUGH && !model.architecture().isStraightThrough()) {
      throw new IllegalArgumentException(
          "straight-through gradients do not pass through Pack: train by"
              + " LAYERWISE_CROSS_ENTROPY, or put the layers on its base side");
    }
    if (options.baseAveraging() > 0 && !hasMarginals) {
      throw new IllegalArgumentException("baseAveraging needs a factorised base without a network");
    }
  }
}
