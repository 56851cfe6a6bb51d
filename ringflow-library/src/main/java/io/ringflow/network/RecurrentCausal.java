package io.ringflow.network;

import io.ringflow.core.Space;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Tensor;

/**
 * A recurrent network from left to right: it reads a start vector and then every symbol but the
 * last, and has the logits of a position ready before it reads the symbol there.
 */
final class RecurrentCausal implements CausalConditioner {
  private final int size;
  private final Embedding embedding;
  private final Parameter start; // [E]
  private final RecurrentBackbone backbone;
  private final Head head;

  RecurrentCausal(Space space, int embedding, RecurrentBackbone backbone, int width) {
    this.size = space.size();
    this.embedding = new Embedding(space, embedding);
    this.start = Parameter.normal(1 / Math.sqrt(embedding), embedding);
    this.backbone = backbone;
    this.head = new Head(space, backbone.hidden(), width);
  }

  @Override
  public void register(ParameterRegistry registry) {
    embedding.register(registry.within("embedding"));
    registry.parameter("start", start);
    backbone.register(registry.within("trunk"));
    head.register(registry.within("head"));
  }

  @Override
  public Tensor logits(Symbols symbols, EvaluationContext context) {
    Tensor first = context.get(start).expand(symbols.ids().size(0), 1, -1);
    Tensor shown = context.dropout().onSymbols(embedding.apply(symbols, context));
    Tensor others = shown.narrow(1, 0, size - 1L); // [B, D - 1, E]
    Tensor read = backbone.apply(Tensors.cat(1, first, others), context);
    return head.apply(read, context);
  }

  @Override
  public IncrementalDecoder decoder(long batch, EvaluationContext context) {
    RecurrentBackbone.Stepper stepper = backbone.stepper(batch, context);
    Tensor input = context.get(start).expand(batch, -1).clone(); // [B, E]
    return new IncrementalDecoder() {
      private int position;

      @Override
      public Tensor logits() {
        return head.at(position, stepper.next(input).unsqueeze(1), context);
      }

      @Override
      public void append(Tensor ids) {
        input.copy_(embedding.at(position, ids, context).squeeze(1));
        position++;
      }
    };
  }
}
