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

/** A trunk from left to right that reads a start vector and then every symbol but the last. */
final class SequenceCausal implements CausalConditioner {
  private final int size;
  private final Embedding embedding;
  private final Parameter start; // [E]
  private final Backbone trunk;
  private final Head head;

  SequenceCausal(Space space, int embedding, Backbone trunk, int width) {
    this.size = space.size();
    this.embedding = new Embedding(space, embedding);
    this.start = Parameter.normal(1 / Math.sqrt(embedding), embedding);
    this.trunk = trunk;
    this.head = new Head(space, trunk.hidden(), width);
  }

  @Override
  public void register(ParameterRegistry registry) {
    embedding.register(registry.within("embedding"));
    registry.parameter("start", start);
    trunk.register(registry.within("trunk"));
    head.register(registry.within("head"));
  }

  @Override
  public Tensor logits(Symbols symbols, EvaluationContext context) {
    Tensor first = context.get(start).expand(symbols.ids().size(0), 1, -1);
    Tensor others = embedding.apply(symbols, context).narrow(1, 0, size - 1L); // [B, D - 1, E]
    Tensor read = trunk.apply(Tensors.cat(1, first, others), context);
    return head.apply(read, context);
  }

  @Override
  public IncrementalDecoder decoder(long batch, EvaluationContext context) {
    Backbone.Stepper stepper = trunk.stepper(batch, context);
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
