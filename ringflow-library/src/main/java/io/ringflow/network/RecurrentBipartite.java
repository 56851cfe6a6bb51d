package io.ringflow.network;

import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.Conditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Tensor;

/**
 * A recurrent network in both directions over all positions, of which those that its mask does not
 * see are hidden.
 */
final class RecurrentBipartite implements Conditioner {
  private final MaskedEmbedding embedding;
  private final RecurrentBackbone backbone;
  private final Head head;
  private final Buffer moved; // [M]

  RecurrentBipartite(Space space, Mask mask, int embedding, RecurrentBackbone backbone, int width) {
    this.embedding = new MaskedEmbedding(space, mask, embedding);
    this.backbone = backbone;
    this.head = new Head(space.select(mask.moved()), backbone.hidden(), width);
    this.moved = Buffer.longs(mask.moved());
  }

  @Override
  public void register(ParameterRegistry registry) {
    embedding.register(registry.within("embedding"));
    backbone.register(registry.within("trunk"));
    head.register(registry.within("head"));
    registry.buffer(moved);
  }

  @Override
  public Tensor logits(Symbols symbols, EvaluationContext context) {
    Tensor shown = context.dropout().onSymbols(embedding.apply(symbols, context));
    Tensor read = backbone.apply(shown, context);
    return head.apply(read.index_select(1, context.get(moved)), context);
  }
}
