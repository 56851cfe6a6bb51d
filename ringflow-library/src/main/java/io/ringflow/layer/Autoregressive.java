package io.ringflow.layer;

import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.network.Network;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Tensor;

/**
 * Moves each position by what it sees of the data at earlier positions (section 3.2).
 *
 * <pre>
 *   data[t] = map(base[t]; network(data[before t]))        for t in the given order
 * </pre>
 *
 * <p>Cost: {@code inverse} is one network call; {@code forward} takes D steps one after the other,
 * each of one position's work, because the network keeps its state.
 *
 * @param order in which positions are visited; the paper reverses it from one layer to the next
 * @param network looks at earlier positions
 * @param map how a symbol is moved
 */
public record Autoregressive(Order order, Network network, SymbolMap map) implements Layer {
  @Override
  public Bijection on(Space space, Space condition) {
    if (order.size() != space.size()) {
      throw new IllegalArgumentException(
          "the order has " + order.size() + " positions, but the space has " + space.size());
    }
    return new Bound(this, space, condition);
  }

  /**
   * A network need only know "left to right": any other order is that one between two reorderings.
   */
  private static final class Bound implements Bijection {
    private final Space space;
    private final Bijection reorder;
    private final CausalConditioner conditioner;
    private final SymbolMap.Moves moves;

    Bound(Autoregressive layer, Space space, Space condition) {
      int maxCardinality = space.maxCardinality();
      Space inOrder = space.select(layer.order.positions());
      this.space = space;
      this.reorder = new Reorder(layer.order).on(inOrder, condition);
      this.conditioner =
          layer.network.causal(space, layer.order, condition, layer.map.width(maxCardinality));
      this.moves = layer.map.on(inOrder, maxCardinality);
    }

    @Override
    public void register(ParameterRegistry registry) {
      reorder.register(registry);
      conditioner.register(registry.within("network"));
      moves.register(registry.within("map"));
    }

    @Override
    public Space dataSpace() {
      return space;
    }

    @Override
    public Symbols forward(Symbols base, EvaluationContext context) {
      Tensor source = reorder.forward(Symbols.of(base.ids()), context).ids(); // [B, D]
      Tensor data = Tensors.zeros(source, source.shape());
      IncrementalDecoder decoder = conditioner.decoder(source.size(0), context);
      for (int t = 0; t < space.size(); t++) {
        try (Scope step = Scope.inference()) {
          Tensor logits = decoder.logits(); // [B, 1, width]
          Tensor symbol = moves.forward(source.narrow(1, t, 1), logits, t, context);
          data.narrow(1, t, 1).copy_(symbol);
          decoder.append(symbol);
        }
      }
      return reorder.inverse(Symbols.of(data), context);
    }

    @Override
    public Symbols inverse(Symbols data, EvaluationContext context) {
      Symbols inOrder = reorder.forward(data, context);
      Tensor logits = Tensors.widened(conditioner.logits(inOrder, context)); // [B, D, width]
      return reorder.inverse(moves.inverse(inOrder, logits, context), context);
    }

    @Override
    public int passes() {
      return space.size();
    }
  }
}
