package io.ringflow.base;

import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.logits.Categorical;
import io.ringflow.internal.logits.LogitBias;
import io.ringflow.internal.logits.SymbolLogits;
import io.ringflow.network.Network;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Counts;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;

/** Groups of positions, each sampled at once given the groups before it. */
final class GroupedDistribution implements Distribution {
  private final Groups groups;
  private final int[] starts;
  private final SymbolLogits symbols;
  private final LogitBias bias;
  private final CausalConditioner conditioner;
  private final Buffer order; // the position that comes first, second, …
  private final Buffer turns; // when each position comes

  /**
   * Binds a base.
   *
   * @param logitBias added to the logit of symbol 0 everywhere
   */
  GroupedDistribution(
      Groups groups, Network network, double logitBias, Space space, Space condition) {
    Order positions = groups.order();
    if (positions.size() != space.size()) {
      throw new IllegalArgumentException(
          "the base's order has "
              + positions.size()
              + " positions, but the space has "
              + space.size());
    }
    this.groups = groups;
    this.starts = groups.starts();
    this.symbols = new SymbolLogits(space.select(positions.positions()), space.maxCardinality());
    this.bias = new LogitBias(logitBias, space.maxCardinality(), 0);
    this.order = Buffer.longs(positions.positions());
    this.turns = Buffer.longs(positions.inverse().positions());
    this.conditioner = network.causal(space, groups, condition, space.maxCardinality());
  }

  @Override
  public void register(ParameterRegistry registry) {
    symbols.register(registry);
    bias.register(registry);
    registry.buffer(order);
    registry.buffer(turns);
    conditioner.register(registry.within("network"));
  }

  @Override
  public Tensor logProb(Symbols data, EvaluationContext context) {
    Symbols inOrder = data.select(context.get(order));
    return Categorical.logProb(inOrder, logProbsInOrder(inOrder, context));
  }

  @Override
  public Tensor logProbs(Symbols data, EvaluationContext context) {
    Tensor inOrder = logProbsInOrder(data.select(context.get(order)), context);
    return inOrder.index_select(1, context.get(turns));
  }

  private Tensor logProbsInOrder(Symbols inOrder, EvaluationContext context) {
    Tensor logits = Tensors.widened(conditioner.logits(inOrder, context)); // [B, D, K]
    return symbols.masked(bias.on(logits, context), 0, context).log_softmax(-1);
  }

  @Override
  public Groups groups() {
    return groups;
  }

  @Override
  public Tensor choose(long rows, Choice choice, EvaluationContext context) {
    return choose(rows, groups.count(), false, choice, context).index_select(1, context.get(turns));
  }

  @Override
  public Tensor chooseNarrow(long rows, Choice choice, EvaluationContext context) {
    return choose(rows, groups.count(), true, choice, context).index_select(1, context.get(turns));
  }

  @Override
  public void chooseFirst(long rows, int groups, Choice choice, EvaluationContext context) {
    choose(rows, groups, true, choice, context);
  }

  /** Rows in the order of sampling, with symbol 0 behind the first groups. */
  private Tensor choose(
      long rows, int count, boolean narrow, Choice choice, EvaluationContext context) {
    Tensor chosen = symbols.zeroRows(rows, context);
    IncrementalDecoder decoder =
        narrow ? conditioner.narrowDecoder(rows, context) : conditioner.decoder(rows, context);
    for (int group = 0; group < count; group++) {
      int from = starts[group];
      try (Scope step = Scope.inference()) {
        Tensor shown = decoder.logits();
        if (narrow) {
          shown = shown.narrow(-1, 0, symbols.width(from, starts[group + 1]));
        }
        Tensor biased = bias.on(Tensors.widened(shown), context);
        Tensor logits = symbols.masked(biased, from, context); // [B, n, K or less]
        Tensor next = choice.symbols(logits.log_softmax(-1), from);
        chosen.narrow(1, from, next.size(1)).copy_(next);
        decoder.append(next);
      }
    }
    return chosen;
  }

  @Override
  public Optional<Counts> counts() {
    return conditioner.counts().map(counts -> counts.in(groups.order()));
  }

  @Override
  public int passes() {
    return conditioner.calls(groups.count());
  }
}
