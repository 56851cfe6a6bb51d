package io.ringflow.layer;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Order;
import io.ringflow.core.PartSummary;
import io.ringflow.core.Space;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import java.util.List;
import java.util.Optional;

/**
 * Puts the positions in another order: {@code data[i] = base[order[i]]}.
 *
 * <p>Cost: no network call.
 *
 * @param order where each position of the data comes from
 */
@JsonTypeName("reorder")
public record Reorder(Order order) implements Layer {
  @Override
  public Bijection on(Space space, Space condition) {
    if (order.size() != space.size()) {
      throw new IllegalArgumentException(
          "the order has " + order.size() + " positions, but the space has " + space.size());
    }
    return new Bound(order, space);
  }

  @Override
  public Reorder inverted() {
    return new Reorder(order.inverse());
  }

  @Override
  public PartSummary summary() {
    return new PartSummary("reorder", order.size() + " in another order", "", "");
  }

  @Override
  public boolean rearranges() {
    return true;
  }

  @Override
  public Optional<Rearrangement> rearrangement(Space space) {
    List<List<Integer>> sources =
        order.inverse().positions().stream().map(position -> List.of(position)).toList();
    return Optional.of(Rearrangement.of(space, sources));
  }

  private static final class Bound implements Bijection {
    private final Space dataSpace;
    private final Space baseSpace;
    private final Buffer toData;
    private final Buffer toBase;

    Bound(Order order, Space dataSpace) {
      this.dataSpace = dataSpace;
      this.baseSpace = dataSpace.select(order.inverse().positions());
      this.toData = Buffer.longs(order.positions());
      this.toBase = Buffer.longs(order.inverse().positions());
    }

    @Override
    public void register(ParameterRegistry registry) {
      registry.buffer(toData);
      registry.buffer(toBase);
    }

    @Override
    public Space dataSpace() {
      return dataSpace;
    }

    @Override
    public Space baseSpace() {
      return baseSpace;
    }

    @Override
    public Symbols forward(Symbols base, EvaluationContext context) {
      return base.select(context.get(toData));
    }

    @Override
    public Symbols inverse(Symbols data, EvaluationContext context) {
      return data.select(context.get(toBase));
    }

    @Override
    public int passes() {
      return 0;
    }
  }
}
