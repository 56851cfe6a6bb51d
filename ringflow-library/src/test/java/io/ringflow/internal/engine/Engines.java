package io.ringflow.internal.engine;

import io.ringflow.core.Device;
import io.ringflow.internal.graph.RefusedCaptures;
import io.ringflow.layer.Chain;
import io.ringflow.model.Architecture;
import io.ringflow.spi.Distribution;

/** Engines for tests. */
public final class Engines {
  private Engines() {}

  /**
   * An engine that goes through captures on a CPU.
   *
   * @param weights to copy
   */
  public static Engine capturing(
      Architecture architecture, Weights weights, RefusedCaptures captures) {
    Chain.Bound layers =
        new Chain(architecture.layers()).on(architecture.space(), architecture.condition());
    Distribution base = architecture.base().on(layers.baseSpace(), architecture.condition());
    return Engine.of(
        architecture.condition(),
        layers,
        base,
        layout -> {
          Weights copy = Weights.initial(layout, Device.CPU, 1);
          copy.copyFrom(weights);
          return copy;
        },
        captures::on);
  }
}
