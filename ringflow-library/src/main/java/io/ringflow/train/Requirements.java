package io.ringflow.train;

import io.ringflow.core.Objective;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.SharedWeights;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Layer;
import io.ringflow.model.FlowModel;
import java.util.Collections;

/** What training options need of the model they train. */
final class Requirements {
  private Requirements() {}

  /**
   * Checks options against a model.
   *
   * @throws IllegalArgumentException if they do not go together
   */
  static void check(FlowModel model, TrainingOptions options) {
    SharedWeights.requireComputable(options.precision(), model.device());
    Objective objective = options.objective();
    Chain layers = new Chain(model.architecture().layers());
    for (Layer layer : layers.flatten()) {
      if (Collections.disjoint(layer.trainableBy(), Objective.ofLikelihood())
          && objective != Objective.PATHWISE) {
        throw new IllegalArgumentException(
            "objective %s can't train %s: such a layer is trained by inference, not by likelihood"
                .formatted(objective, layer.summary()));
      }
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
    if (objective == Objective.PATHWISE
        && layers.flatten().stream()
            .anyMatch(layer -> layer.rearranges() && layer.stopsGradients())) {
      throw new IllegalArgumentException("straight-through gradients do not pass through Pack");
    }
    if (options.optimizer() == Optimizer.MUON
        && HiddenMatrix.of(EngineAccess.of(model).weights()).isEmpty()) {
      throw new IllegalArgumentException(
          "optimizer MUON needs a network with matrices, a Transformer: this model has none");
    }
    if (options.baseAveraging() > 0 && !hasMarginals) {
      throw new IllegalArgumentException("baseAveraging needs a factorised base without a network");
    }
  }
}
