package io.ringflow.layer;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Objective;
import io.ringflow.core.PartSummary;
import io.ringflow.core.Space;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;

/**
 * Another layer with its directions swapped. Around {@link Autoregressive} it is the inverse
 * autoregressive flow that the paper closes with:
 *
 * <pre>
 *   base[t] = map(data[t]; network(base[before t]))        for t in the layer's order
 * </pre>
 *
 * <p>Cost: {@code forward} is the layer's {@code inverse}, one network call; {@code inverse} is the
 * layer's {@code forward}, D steps around an autoregressive layer.
 *
 * <p>Straight-through gradients run from base to data, for variational inference: {@code forward}
 * hands a one-hot on. None run from data to base, so that no likelihood of data trains it.
 *
 * <p>The layer must keep its space or say by {@link Layer#inverted} what undoes it, as {@link
 * Reorder} and {@link Chain} do; {@link Pack} does neither. The inverse of a chain is the chain of
 * its layers' inverses in reverse, and counts them as such in the names of weights.
 *
 * @param layer whose directions are swapped
 */
@JsonTypeName("inverse")
public record Inverse(Layer layer) implements Layer {
  /** Checks that there is a layer. */
  public Inverse {
    Objects.requireNonNull(layer, "layer");
  }

  /** What this is in other words; empty where there are none. */
  private Optional<Layer> simpler() {
    return Optional.of(layer.inverted()).filter(same -> !same.equals(this));
  }

  @Override
  public Bijection on(Space space, Space condition) {
    Optional<Layer> simpler = simpler();
    return simpler.isPresent() ? simpler.get().on(space, condition) : bind(space, condition);
  }

  private Bijection bind(Space space, Space condition) {
    if (!layer.rearranges()) {
      Bijection inner = layer.on(space, condition);
      if (inner.baseSpace().equals(space)) {
        return new Bound(inner);
      }
    }
    throw new IllegalArgumentException(
        summary()
            + ": the layer inside leads from one space to another, and does not say what leads"
            + " back");
  }

  @Override
  public Layer inverted() {
    return layer;
  }

  @Override
  public Set<Objective> trainableBy() {
    return simpler().map(Layer::trainableBy).orElseGet(this::byInference);
  }

  /**
   * What a gradient through the layer's inverse trains, one through this layer's forward trains.
   */
  private Set<Objective> byInference() {
    return layer.trainableBy().contains(Objective.STRAIGHT_THROUGH)
        ? EnumSet.of(Objective.PATHWISE)
        : EnumSet.noneOf(Objective.class);
  }

  @Override
  public boolean stopsGradients() {
    return simpler().map(Layer::stopsGradients).orElse(true);
  }

  @Override
  public boolean rearranges() {
    return simpler().map(Layer::rearranges).orElse(false);
  }

  @Override
  public Optional<Rearrangement> rearrangement(Space space) {
    return simpler().flatMap(same -> same.rearrangement(space));
  }

  @Override
  public List<Layer> flatten() {
    return simpler().map(Layer::flatten).orElse(List.of(this));
  }

  @Override
  public PartSummary summary() {
    PartSummary inner = layer.summary();
    return new PartSummary(
        "inverse " + inner.kind(), inner.positions(), inner.network(), inner.map());
  }

  private record Bound(Bijection inner) implements Bijection {
    @Override
    public void register(ParameterRegistry registry) {
      inner.register(registry);
    }

    @Override
    public Space dataSpace() {
      return inner.baseSpace();
    }

    @Override
    public Space baseSpace() {
      return inner.dataSpace();
    }

    @Override
    public Symbols forward(Symbols base, EvaluationContext context) {
      return inner.inverse(base, context);
    }

    @Override
    public Symbols inverse(Symbols data, EvaluationContext context) {
      if (data.carriesGradient()) {
        throw new IllegalStateException(
            "straight-through gradients do not pass from data to base through an inverse layer");
      }
      Tensor ids = inner.forward(Symbols.of(data.ids()), context).ids();
      return data.hasOneHot()
          ? Symbols.withOneHot(ids, baseSpace().maxCardinality())
          : Symbols.of(ids);
    }

    @Override
    public int passes() {
      return inner.inversePasses();
    }

    @Override
    public int inversePasses() {
      return inner.passes();
    }
  }
}
