package io.ringflow.model;

import io.ringflow.base.Base;
import io.ringflow.core.Space;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Layer;
import io.ringflow.spi.Bijection;
import java.util.ArrayList;
import java.util.List;

/**
 * What a model is, apart from its weights: a space, a base, and layers from the base to the data.
 *
 * <pre>{@code
 * Architecture ring =
 *     Architecture.of(Space.uniform(2, 90), new FactorizedBase())
 *         .with(new Bipartite(Mask.even(2), new Table(), new Shift()));
 * }</pre>
 *
 * <p>A plain value: this is what {@code config.json} holds.
 *
 * @param space of the data
 * @param condition what each row is conditioned on; {@link Space#NONE} for an unconditional model
 * @param base the distribution the flow starts from
 * @param layers from the base to the data
 */
public record Architecture(Space space, Space condition, Base base, List<Layer> layers) {
  /** Checks that everything fits together. */
  public Architecture {
    layers = List.copyOf(layers);
    if (space.size() == 0) {
      throw new IllegalArgumentException("the space has no positions");
    }
    Bijection chain = new Chain(layers).on(space, condition);
    base.on(chain.baseSpace(), condition);
  }

  /** A model without layers: its base alone. */
  public static Architecture of(Space space, Base base) {
    return new Architecture(space, Space.NONE, base, List.of());
  }

  /** The same, with one more layer on the data side. */
  public Architecture with(Layer layer) {
    List<Layer> more = new ArrayList<>(layers);
    more.add(layer);
    return new Architecture(space, condition, base, more);
  }

  /** The same, conditioned on rows of another space. */
  public Architecture condition(Space condition) {
    return new Architecture(space, condition, base, layers);
  }
}
