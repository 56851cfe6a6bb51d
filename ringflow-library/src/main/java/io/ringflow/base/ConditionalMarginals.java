package io.ringflow.base;

import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.internal.logits.Categorical;
import io.ringflow.internal.logits.LogitBias;
import io.ringflow.internal.logits.SymbolLogits;
import io.ringflow.network.Network;
import io.ringflow.spi.Conditioner;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Tensor;

/** Independent positions whose logits a network computes from each row's condition. */
final class ConditionalMarginals implements Distribution {
  private final Space space;
  private final SymbolLogits symbols;
  private final LogitBias bias;
  private final Conditioner conditioner;

  ConditionalMarginals(Network network, Space space, Space condition, LogitBias bias) {
    this.space = space;
    this.bias = bias;
    this.symbols = new SymbolLogits(space, space.maxCardinality());
    Mask nothing = Mask.keep(space.size(), position -> false);
    this.conditioner = network.bipartite(space, nothing, condition, space.maxCardinality());
  }

  @Override
  public void register(ParameterRegistry registry) {
    symbols.register(registry);
    bias.register(registry);
    conditioner.register(registry.within("network"));
  }

  /** Of the symbols, only their number and device matter. */
  @Override
  public Tensor logProbs(Symbols unseen, EvaluationContext context) {
    Tensor biased = bias.on(Tensors.widened(conditioner.logits(unseen, context)), context);
    return symbols.masked(biased, 0, context).log_softmax(-1);
  }

  @Override
  public Tensor logProb(Symbols data, EvaluationContext context) {
    return Categorical.logProb(data, logProbs(data, context));
  }

  @Override
  public Tensor choose(long rows, Choice choice, EvaluationContext context) {
    return choice.symbols(logProbs(Symbols.of(symbols.zeroRows(rows, context)), context), 0);
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
