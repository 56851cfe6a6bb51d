package io.ringflow.train;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Device;
import io.ringflow.core.Objective;
import io.ringflow.core.Precision;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.Sinkhorn;
import io.ringflow.layer.SymbolMap;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** What some options need of the model they train. */
public final class Requirements {
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
    List<Layer> layers = flattened(architecture.layers());
    if (options.objective() == Objective.MIXTURE
        && (!factorised || layers.stream().anyMatch(Requirements::rearranges))) {
      throw new IllegalArgumentException(
          "objective MIXTURE needs a factorised base without a network, and no Reorder or Pack"
              + " layers");
    }
    List<SymbolMap> maps = layers.stream().map(Requirements::map).filter(Objects::nonNull).toList();
    for (SymbolMap map : maps) {
      if (options.objective() == Objective.LAYERWISE_CROSS_ENTROPY
          && (map instanceof ShiftScale || map instanceof Sinkhorn)) {
        throw new IllegalArgumentException(
            "objective ALIGNED can't train "
                + map.getClass().getSimpleName()
                + ", which has more to learn than a classifier knows: use Permute or Shift");
      }
      if (options.objective() == Objective.MIXTURE && map instanceof Permute) {
        throw new IllegalArgumentException(
            "objective MIXTURE has no moves of Permute to mix: train by objective ALIGNED");
      }
    }
    if (options.objective() == Objective.STRAIGHT_THROUGH) {
      requireGradients(layers);
    }
    if (options.baseAveraging() > 0 && !factorised) {
      throw new IllegalArgumentException("baseFollows needs a factorised base without a network");
    }
  }

  /** Whether straight-through gradients reach every layer of a model. */
  public static boolean straightThroughReachesAll(Architecture architecture) {
    List<Layer> layers = flattened(architecture.layers());
    return !sorts(layers) && !movesBeyondPack(layers);
  }

  private static void requireGradients(List<Layer> layers) {
    if (sorts(layers)) {
      throw new IllegalArgumentException(
          "Permute has no straight-through gradient: train by objective ALIGNED");
    }
    if (movesBeyondPack(layers)) {
      throw new IllegalArgumentException(
          "straight-through gradients do not pass through Pack: train by objective ALIGNED, or put"
              + " the layers on its base side");
    }
  }

  private static boolean sorts(List<Layer> layers) {
    return layers.stream().anyMatch(layer -> map(layer) instanceof Permute);
  }

  /** Whether a layer on the data side of a packing has something to learn. */
  private static boolean movesBeyondPack(List<Layer> layers) {
    return layers.stream()
        .dropWhile(layer -> !(layer instanceof Pack))
        .anyMatch(layer -> map(layer) != null);
  }

  /** All layers, those of chains one by one. */
  private static List<Layer> flattened(List<Layer> layers) {
    return layers.stream()
        .flatMap(
            layer ->
                layer instanceof Chain chain
                    ? flattened(chain.layers()).stream()
                    : Stream.of(layer))
        .toList();
  }

  private static boolean rearranges(Layer layer) {
    return layer instanceof Reorder || layer instanceof Pack;
  }

  /** How a layer moves symbols; null where it has no network to train. */
  private static SymbolMap map(Layer layer) {
    if (layer instanceof Bipartite bipartite) {
      return bipartite.map();
    }
    return layer instanceof Autoregressive autoregressive ? autoregressive.map() : null;
  }
}
