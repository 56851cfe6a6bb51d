package io.ringflow.bench;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.base.Base;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.network.Network;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.Conditioner;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * Every position given any of the others: the condition says of each position which symbol it has,
 * or, by one symbol more, that it is hidden. Positions that are not hidden are certain; hidden ones
 * are independent given the others.
 *
 * @param network sees the condition, and no position
 */
@JsonTypeName("any-order")
record AnyOrderBase(Network network) implements Base {
  /** The space of the conditions of rows. */
  static Space condition(Space space) {
    return new Space(space.cardinalities().stream().map(symbols -> symbols + 1).toList());
  }

  @Override
  public Distribution on(Space space, Space condition) {
    return new Hidden(network, space, condition);
  }

  /** Of the symbols of a row only their number and device matter: all is in the condition. */
  private static final class Hidden implements Distribution {
    private final Space space;
    private final Conditioner conditioner;
    private final Buffer cardinalities; // [D]: the symbol of the condition that says hidden

    Hidden(Network network, Space space, Space condition) {
      this.space = space;
      Mask nothing = Mask.keep(space.size(), position -> false);
      this.conditioner = network.bipartite(space, nothing, condition, space.maxCardinality());
      this.cardinalities = Buffer.longs(space.cardinalities());
    }

    @Override
    public void register(ParameterRegistry registry) {
      registry.buffer(cardinalities);
      conditioner.register(registry.within("network"));
    }

    @Override
    public Tensor logProbs(Symbols unseen, EvaluationContext context) {
      Tensor known = context.condition().ids(); // [B, D]
      Tensor last = context.get(cardinalities);
      Tensor all = Tensors.range(space.maxCardinality(), known);
      Tensor others = all.ne(known.unsqueeze(2)).logical_and(known.ne(last).unsqueeze(2));
      Tensor excluded = others.logical_or(all.ge(last.unsqueeze(1))); // [B, D, K]
      Tensor logits = Tensors.widened(conditioner.logits(unseen, context));
      return logits.masked_fill(excluded, new Scalar(Double.NEGATIVE_INFINITY)).log_softmax(-1);
    }

    @Override
    public Tensor logProb(Symbols data, EvaluationContext context) {
      Tensor chosen = logProbs(data, context).gather(-1, data.ids().unsqueeze(-1));
      return chosen.squeeze(-1).sum(1);
    }

    @Override
    public Tensor choose(long rows, Choice choice, EvaluationContext context) {
      Tensor zeros = Tensors.zeros(context.get(cardinalities), rows, space.size());
      return choice.symbols(logProbs(Symbols.of(zeros), context), 0);
    }

    @Override
    public Groups groups() {
      return Groups.blocks(space.size(), 1);
    }

    @Override
    public int passes() {
      return 1;
    }
  }
}
