package io.ringflow.base;

import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.logits.Categorical;
import io.ringflow.internal.logits.LogitBias;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.Rings;
import io.ringflow.network.Network;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;

/** Groups of positions, each drawn at once given those before it: what group bases share. */
public final class GroupedDistribution implements Distribution {
  private final Groups groups;
  private final int[] starts;
  private final Bijection reorder;
  private final Rings rings;
  private final LogitBias logitBias;
  private final CausalConditioner conditioner;
  private final Buffer back; // where each position stands in the order

  /**
   * Binds a base.
   *
   * @param logitBias added to the logit of symbol 0 everywhere
   */
  GroupedDistribution(
      Groups groups, Network network, double logitBias, Space space, Space condition) {
    Order order = groups.order();
    if (order.size() != space.size()) {
      throw new IllegalArgumentException(
          "the base's order has " + order.size() + " positions, but the space has " + space.size());
    }
    Space inOrder = space.select(order.positions());
    this.groups = groups;
    this.starts = groups.starts();
    this.reorder = new Reorder(order).on(inOrder, condition);
    this.rings = new Rings(inOrder, space.maxCardinality());
    this.logitBias = new LogitBias(logitBias, space.maxCardinality(), 0);
    this.back = Buffer.longs(order.inverse().positions());
    this.conditioner = network.causal(space, groups, condition, space.maxCardinality());
  }

  @Override
  public void register(ParameterRegistry registry) {
    reorder.register(registry);
    rings.register(registry);
    logitBias.register(registry);
    registry.constant(back);
    conditioner.register(registry.within("network"));
  }

  @Override
  public Tensor logProb(Symbols symbols, EvaluationContext context) {
    Symbols inOrder = reorder.forward(symbols, context);
    return Categorical.logProb(inOrder, logProbsInOrder(inOrder, context));
  }

  @Override
  public Tensor logProbs(Symbols symbols, EvaluationContext context) {
    Tensor inOrder = logProbsInOrder(reorder.forward(symbols, context), context);
    return inOrder.index_select(1, context.get(back));
  }

  private Tensor logProbsInOrder(Symbols inOrder, EvaluationContext context) {
    Tensor logits = Tensors.widened(conditioner.logits(inOrder, context)); // [B, D, K]
    return rings.masked(logitBias.on(logits, context), 0, context).log_softmax(-1);
  }

  @Override
  public Groups groups() {
    return groups;
  }

  @Override
  public Tensor choose(long rows, Choice choice, EvaluationContext context) {
    Tensor chosen = rings.rows(rows, context);
    IncrementalDecoder decoder = conditioner.decoder(rows, context);
    for (int group = 0; group < passes(); group++) {
      int from = starts[group];
      try (Scope step = Scope.inference()) {
        Tensor tilted = logitBias.on(decoder.logits(), context);
        Tensor logits = rings.masked(tilted, from, context); // [B, n, K]
        Tensor symbols = choice.symbols(logits.log_softmax(-1), from);
        chosen.narrow(1, from, symbols.size(1)).copy_(symbols);
        decoder.append(symbols);
      }
    }
    return reorder.inverse(Symbols.of(chosen), context).ids();
  }

  /** Sets in closed form what the network can; see {@link CausalConditioner#start}. */
  public void start(int[][] rows, Weights weights) {
    int[] order = groups.order().positions().stream().mapToInt(Integer::intValue).toArray();
    int[][] inOrder =
        Arrays.stream(rows)
            .map(row -> Arrays.stream(order).map(position -> row[position]).toArray())
            .toArray(int[][]::new);
    conditioner.start(inOrder, weights);
  }

  @Override
  public int passes() {
    return starts.length - 1;
  }
}
