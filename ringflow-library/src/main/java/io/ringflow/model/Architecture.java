package io.ringflow.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.ringflow.base.Base;
import io.ringflow.core.Objective;
import io.ringflow.core.Space;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Rearrangement;
import java.util.ArrayList;
import java.util.List;

/**
 * What a model is, apart from its weights: a space, a base, and layers from the base to the data.
 *
 * <pre>{@code
 * Architecture ring =
 *     Architecture.of(Space.uniform(2, 90), new FactorizedBase())
 *         .with(new Bipartite(Mask.even(2), new LookupTable(), new Shift()));
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
    base.on(new Chain(layers).on(space, condition).baseSpace(), condition);
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

  /** The space of the base, on the other side of the layers. */
  public Space baseSpace() {
    return new Chain(layers).on(space, condition).baseSpace();
  }

  /** Whether some layer moves symbols; otherwise the layers only rearrange positions. */
  public boolean movesSymbols() {
    return !new Chain(layers).rearranges();
  }

  /**
   * Which data positions each base position stands for. Layers that move symbols leave them at
   * their positions.
   */
  public Rearrangement positions() {
    List<Layer> rearranging =
        new Chain(layers).flatten().stream().filter(Layer::rearranges).toList();
    return new Chain(rearranging).rearrangement(space).orElseThrow();
  }

  /** Whether straight-through gradients reach every layer that has something to learn. */
  @JsonIgnore
  public boolean isStraightThrough() {
    List<Layer> flat = new Chain(layers).flatten();
    return flat.stream().allMatch(layer -> layer.trainableBy().contains(Objective.STRAIGHT_THROUGH))
        && flat.stream().dropWhile(layer -> !layer.stopsGradients()).allMatch(Layer::rearranges);
  }

  /**
   * The objective to train by where nothing speaks for another: the paper's where it reaches every
   * layer, layer-wise cross-entropy otherwise.
   */
  public Objective defaultObjective() {
    return isStraightThrough() ? Objective.STRAIGHT_THROUGH : Objective.LAYERWISE_CROSS_ENTROPY;
  }
}
