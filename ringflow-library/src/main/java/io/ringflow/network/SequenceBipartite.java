package io.ringflow.network;

import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.Conditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Tensor;

/** A trunk that sees both ways over all positions, of which the moved ones are hidden. */
final class SequenceBipartite implements Conditioner {
  private final MaskedEmbedding embedding;
  private final Backbone trunk;
  private final Head head;
  private final Buffer moved;

  SequenceBipartite(Space space, Mask mask, int embedding, Backbone trunk, int width) {
    this.embedding = new MaskedEmbedding(space, mask, embedding);
    this.trunk = trunk;
    this.head = new Head(space.select(mask.moved()), trunk.hidden(), width);
    this.moved = Buffer.longs(mask.moved());
  }

  @Override
  public void register(ParameterRegistry registry) {
    embedding.register(registry.within("embedding"));
    trunk.register(registry.within("trunk"));
    head.register(registry.within("head"));
    registry.constant(moved);
  }

  @Override
  public Tensor logits(Symbols symbols, EvaluationContext context) {
    Tensor read = trunk.apply(embedding.apply(symbols, context), context);
    return head.apply(read.index_select(1, context.get(moved)), context);
  }
}
