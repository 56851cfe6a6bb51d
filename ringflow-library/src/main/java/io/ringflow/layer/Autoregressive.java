package io.ringflow.layer;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Objective;
import io.ringflow.core.Order;
import io.ringflow.core.PartSummary;
import io.ringflow.core.Space;
import io.ringflow.network.Network;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.BoundMap;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Counts;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.Optional;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;

/**
 * Moves each position by what a network sees of the data at earlier positions (section 3.2).
 *
 * <pre>
 *   data[t] = map(base[t]; network(data[before t]))        for t in the given order
 * </pre>
 *
 * <p>Cost: {@code inverse} is one network call; {@code forward} takes D steps one after the other,
 * each of one position's work, because the network keeps its state.
 *
 * @param order in which positions are visited; the paper reverses it from one layer to the next
 * @param network sees earlier positions
 * @param map how a symbol is moved
 */
@JsonTypeName("autoregressive")
public record Autoregressive(Order order, Network network, SymbolMap map) implements Layer {
  @Override
  public Bijection on(Space space, Space condition) {
    if (order.size() != space.size()) {
      throw new IllegalArgumentException(
          "the order has " + order.size() + " positions, but the space has " + space.size());
    }
    return new Bound(this, space, condition);
  }

  @Override
  public Set<Objective> trainableBy() {
    return map.trainableBy();
  }

  @Override
  public PartSummary summary() {
    return new PartSummary(
        "autoregressive", order.summary(), network.toString(), map.getClass().getSimpleName());
  }

  /** Network and map see positions in the layer's order; both sides of the layer do not. */
  private static final class Bound implements Bijection {
    private final Space space;
    private final CausalConditioner conditioner;
    private final BoundMap map;
    private final Buffer order; // the position visited first, second, …
    private final Buffer turns; // when each position is visited
    private final Order visits;
    private final boolean countable; // whether logits stand for symbols

    Bound(Autoregressive layer, Space space, Space condition) {
      int maxCardinality = space.maxCardinality();
      this.space = space;
      this.conditioner =
          layer.network.causal(space, layer.order, condition, layer.map.width(maxCardinality));
      this.map = layer.map.on(space.select(layer.order.positions()), maxCardinality);
      this.order = Buffer.longs(layer.order.positions());
      this.turns = Buffer.longs(layer.order.inverse().positions());
      this.visits = layer.order;
      this.countable = layer.trainableBy().contains(Objective.LAYERWISE_CROSS_ENTROPY);
    }

    @Override
    public void register(ParameterRegistry registry) {
      registry.buffer(order);
      registry.buffer(turns);
      conditioner.register(registry.within("network"));
      map.register(registry.within("map"));
    }

    @Override
    public Space dataSpace() {
      return space;
    }

    @Override
    public Symbols forward(Symbols base, EvaluationContext context) {
      Tensor source = base.ids().index_select(1, context.get(order)); // [B, D]
      Tensor data = Tensors.zeros(source, source.shape());
      IncrementalDecoder decoder = conditioner.decoder(source.size(0), context);
      for (int t = 0; t < space.size(); t++) {
        try (Scope step = Scope.inference()) {
          Tensor logits = Tensors.widened(decoder.logits()); // [B, 1, width]
          Tensor symbol = map.forward(source.narrow(1, t, 1), logits, t, context);
          data.narrow(1, t, 1).copy_(symbol);
          decoder.append(symbol);
        }
      }
      return Symbols.of(data.index_select(1, context.get(turns)));
    }

    @Override
    public Symbols inverse(Symbols data, EvaluationContext context) {
      Tensor positions = context.get(order);
      Symbols inOrder = data.select(positions);
      Tensor logits = Tensors.widened(conditioner.logits(inOrder, context)); // [B, D, width]
      return context
          .estimator()
          .inverse(map, inOrder, positions, logits, context)
          .select(context.get(turns));
    }

    @Override
    public int passes() {
      return space.size();
    }

    @Override
    public Optional<Counts> counts() {
      return countable ? conditioner.counts().map(counts -> counts.in(visits)) : Optional.empty();
    }
  }
}
