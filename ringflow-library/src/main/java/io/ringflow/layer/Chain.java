package io.ringflow.layer;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Objective;
import io.ringflow.core.PartSummary;
import io.ringflow.core.Space;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Several layers as one: {@code forward} runs the first one first, {@code inverse} the last one
 * first.
 *
 * <p>Cost: the sum of its layers'.
 *
 * @param layers from the base to the data; may be empty
 */
@JsonTypeName("chain")
public record Chain(List<Layer> layers) implements Layer {
  /** Copies the list. */
  public Chain {
    layers = List.copyOf(layers);
  }

  /** The given layers, from the base to the data. */
  public static Chain of(Layer... layers) {
    return new Chain(List.of(layers));
  }

  @Override
  public Bound on(Space space, Space condition) {
    List<Bijection> bound = new ArrayList<>();
    Space dataSide = space;
    for (int i = layers.size() - 1; i >= 0; i--) {
      Bijection bijection;
      try {
        bijection = layers.get(i).on(dataSide, condition);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("layer " + i + ": " + e.getMessage(), e);
      }
      bound.add(bijection);
      dataSide = bijection.baseSpace();
    }
    Collections.reverse(bound);
    return new Bound(space, dataSide, bound);
  }

  @Override
  public Chain inverted() {
    List<Layer> backwards = new ArrayList<>();
    for (int i = layers.size() - 1; i >= 0; i--) {
      backwards.add(layers.get(i).inverted());
    }
    return new Chain(backwards);
  }

  @Override
  public Set<Objective> trainableBy() {
    Set<Objective> common = EnumSet.allOf(Objective.class);
    layers.forEach(layer -> common.retainAll(layer.trainableBy()));
    return common;
  }

  @Override
  public boolean stopsGradients() {
    return layers.stream().anyMatch(Layer::stopsGradients);
  }

  @Override
  public boolean rearranges() {
    return layers.stream().allMatch(Layer::rearranges);
  }

  @Override
  public Optional<Rearrangement> rearrangement(Space space) {
    Rearrangement all = Rearrangement.identity(space);
    for (int i = layers.size() - 1; i >= 0; i--) {
      Optional<Rearrangement> next = layers.get(i).rearrangement(all.baseSpace());
      if (next.isEmpty()) {
        return next;
      }
      all = all.then(next.get());
    }
    return Optional.of(all);
  }

  @Override
  public PartSummary summary() {
    return new PartSummary("chain of " + layers.size(), "", "", "");
  }

  @Override
  public List<Layer> flatten() {
    return layers.stream().map(Layer::flatten).flatMap(List::stream).toList();
  }

  /**
   * Several bijections as one.
   *
   * @param dataSpace of the last
   * @param baseSpace of the first
   * @param bijections from the base to the data
   */
  public record Bound(Space dataSpace, Space baseSpace, List<Bijection> bijections)
      implements Bijection {
    /** Copies the list. */
    public Bound {
      bijections = List.copyOf(bijections);
    }

    @Override
    public void register(ParameterRegistry registry) {
      for (int i = 0; i < bijections.size(); i++) {
        bijections.get(i).register(registry.within(Integer.toString(i)));
      }
    }

    @Override
    public Symbols forward(Symbols base, EvaluationContext context) {
      Symbols symbols = base;
      for (Bijection bijection : bijections) {
        Symbols before = symbols;
        symbols = handUp(() -> bijection.forward(before, context));
      }
      return symbols;
    }

    @Override
    public Symbols inverse(Symbols data, EvaluationContext context) {
      Symbols symbols = data;
      for (int i = bijections.size() - 1; i >= 0; i--) {
        Bijection bijection = bijections.get(i);
        Symbols before = symbols;
        symbols = handUp(() -> bijection.inverse(before, context));
      }
      return symbols;
    }

    /** What a layer leaves behind besides its result is freed before the next one begins. */
    private static Symbols handUp(Supplier<Symbols> layer) {
      return Scope.handUp(layer, Symbols::tensors);
    }

    @Override
    public int passes() {
      return bijections.stream().mapToInt(Bijection::passes).sum();
    }

    @Override
    public int inversePasses() {
      return bijections.stream().mapToInt(Bijection::inversePasses).sum();
    }
  }
}
