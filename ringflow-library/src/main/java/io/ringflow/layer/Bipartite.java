package io.ringflow.layer;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Mask;
import io.ringflow.core.Objective;
import io.ringflow.core.PartSummary;
import io.ringflow.core.Space;
import io.ringflow.network.Network;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.BoundMap;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.Conditioner;
import io.ringflow.spi.Counts;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.Optional;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;

/**
 * Moves some positions by what a network sees of the others, which stay as they are (section 3.2;
 * RealNVP's coupling layer).
 *
 * <pre>
 *   data[kept] = base[kept]        data[moved] = map(base[moved]; network(seen))
 * </pre>
 *
 * <p>Cost: one network call in either direction.
 *
 * @param mask which positions are kept, and which of them are seen
 * @param network sees those
 * @param map how a symbol is moved
 */
@JsonTypeName("bipartite")
public record Bipartite(Mask mask, Network network, SymbolMap map) implements Layer {
  @Override
  public Bijection on(Space space, Space condition) {
    if (mask.size() != space.size()) {
      throw new IllegalArgumentException(
          "the mask has " + mask.size() + " positions, but the space has " + space.size());
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
        "bipartite",
        "moves %d by %d".formatted(mask.moved().size(), mask.seen().size()),
        network.toString(),
        map.getClass().getSimpleName());
  }

  private static final class Bound implements Coupling {
    private final Space space;
    private final Conditioner conditioner;
    private final BoundMap map;
    private final Buffer moved;
    private final boolean countable; // whether logits stand for symbols

    Bound(Bipartite layer, Space space, Space condition) {
      int maxCardinality = space.maxCardinality();
      this.space = space;
      this.conditioner =
          layer.network.bipartite(space, layer.mask, condition, layer.map.width(maxCardinality));
      this.map = layer.map.on(space.select(layer.mask.moved()), maxCardinality);
      this.moved = Buffer.longs(layer.mask.moved());
      this.countable = layer.trainableBy().contains(Objective.LAYERWISE_CROSS_ENTROPY);
    }

    @Override
    public void register(ParameterRegistry registry) {
      conditioner.register(registry.within("network"));
      map.register(registry.within("map"));
      registry.buffer(moved);
    }

    @Override
    public Space dataSpace() {
      return space;
    }

    @Override
    public Symbols forward(Symbols base, EvaluationContext context) {
      // The network sees none but kept positions, which are the same on both sides.
      Symbols ids = Symbols.of(base.ids());
      Tensor logits = logits(ids, context); // [B, M, width]
      Tensor source = moved(ids, context).ids();
      Symbols target = Symbols.of(map.forward(source, logits, 0, context));
      return ids.replace(context.get(moved), target);
    }

    @Override
    public Symbols inverse(Symbols data, EvaluationContext context) {
      Tensor positions = context.get(moved);
      Tensor logits = logits(data, context); // [B, M, width]
      Symbols source =
          context.estimator().inverse(map, moved(data, context), positions, logits, context);
      return data.replace(positions, source);
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

    @Override
    public Optional<Counts> counts() {
      return countable ? conditioner.counts() : Optional.empty();
    }
  }
}
