package io.ringflow.network;

import io.ringflow.core.Space;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Tensor;

/** The vectors of the condition, which stand before the sequence of an attention network. */
final class ConditionPrefix implements Module {
  private final Embedding embedding;
  private final Parameter positions; // [C, width]

  ConditionPrefix(Space condition, int width) {
    this.embedding = new Embedding(condition, width);
    this.positions = Parameter.normal(1 / Math.sqrt(width), condition.size(), width);
  }

  @Override
  public void register(ParameterRegistry registry) {
    embedding.register(registry);
    registry.parameter("positions", positions);
  }

  /** {@code [B, C, width]}. */
  Tensor vectors(EvaluationContext context) {
    return embedding
        .apply(Symbols.of(context.condition().ids()), context)
        .add(context.get(positions));
  }
}
