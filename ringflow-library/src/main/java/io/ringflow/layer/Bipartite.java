package io.ringflow.layer;

import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.network.Network;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.Conditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Tensor;

/**
 * Moves some positions by what it sees of the others, which it keeps (section 3.2; RealNVP's
 * coupling layer).
 *
 * <pre>
 *   data[kept] = base[kept]        data[moved] = map(base[moved]; network(kept))
 * </pre>
 *
 * <p>Cost: one network call in either direction.
 *
 * @param mask which positions are kept
 * @param network looks at the kept ones
 * @param map how a symbol is moved
 */
public record Bipartite(Mask mask, Network network, SymbolMap map) implements Layer {
  @Override
  public Bijection on(Space space, Space condition) {
    if (mask.size() != space.size()) {
      throw new IllegalArgumentException(
          "the mask has " + mask.size() + " positions, but the space has " + space.size());
    }
    return new Bound(this, space, condition);
  }

  private static final class Bound implements Coupling {
    private final Space space;
    private final Conditioner conditioner;
    private final SymbolMap.Moves moves;
    private final Buffer moved;

    Bound(Bipartite layer, Space space, Space condition) {
      int maxCardinality = space.maxCardinality();
      this.space = space;
      this.conditioner =
          layer.network.bipartite(space, layer.mask, condition, layer.map.width(maxCardinality));
      this.moves = layer.map.on(space.select(layer.mask.moved()), maxCardinality);
      this.moved = Buffer.longs(layer.mask.moved());
    }

    @Override
    public void register(ParameterRegistry registry) {
      conditioner.register(registry.within("network"));
      moves.register(registry.within("map"));
      registry.constant(moved);
    }

    @Override
    public Space dataSpace() {
      return space;
    }

    @Override
    public Symbols forward(Symbols base, EvaluationContext context) {
      // The network looks at kept positions alone, which are the same on both sides.
      Tensor logits = logits(Symbols.of(base.ids()), context); // [B, M, width]
      Tensor source = base.ids().index_select(1, context.get(moved));
      Symbols target = Symbols.of(moves.forward(source, logits, 0, context));
      return Symbols.of(base.ids()).replace(context.get(moved), target);
    }

    @Override
    public Symbols inverse(Symbols data, EvaluationContext context) {
      Tensor logits = logits(data, context); // [B, M, width]
      Symbols source = moves.inverse(moved(data, context), logits, context);
      return data.replace(context.get(moved), source);
    }

    @Override
    public Symbols moved(Symbols data, EvaluationContext context) {
      return data.select(context.get(moved));
    }

    @Override
    public Tensor logits(Symbols symbols, EvaluationContext context) {
      return Tensors.widened(conditioner.logits(symbols, context));
    }

    @Override
    public int passes() {
      return 1;
    }
  }
}
