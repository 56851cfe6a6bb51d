package io.ringflow.network;

import io.ringflow.CausalConditioner;
import io.ringflow.Declarations;
import io.ringflow.Decoder;
import io.ringflow.Parameter;
import io.ringflow.Pass;
import io.ringflow.Space;
import io.ringflow.Symbols;
import io.ringflow.torch.Tensors;
import org.bytedeco.pytorch.Tensor;

/** A trunk from left to right that reads a start vector and then every symbol but the last. */
final class SequenceCausal implements CausalConditioner {
  private final int size;
  private final Embedding embedding;
  private final Parameter start; // [E]
  private final Trunk trunk;
  private final Head head;

  SequenceCausal(Space space, int embedding, Trunk trunk, int width) {
    this.size = space.size();
    this.embedding = new Embedding(space, embedding);
    this.start = Parameter.normal(1 / Math.sqrt(embedding), embedding);
    this.trunk = trunk;
    this.head = new Head(space, trunk.hidden(), width);
  }

  @Override
  public void declare(Declarations declarations) {
    embedding.declare(declarations.within("embedding"));
    declarations.parameter("start", start);
    trunk.declare(declarations.within("trunk"));
    head.declare(declarations.within("head"));
  }

  @Override
  public Tensor logits(Symbols symbols, Pass pass) {
    Tensor first = pass.get(start).expand(symbols.ids().size(0), 1, -1);
    Tensor others = embedding.apply(symbols, pass).narrow(1, 0, size - 1L); // [B, D - 1, E]
    Tensor read = trunk.apply(Tensors.cat(1, first, others), pass);
    return head.apply(read, pass);
  }

  @Override
  public Decoder decoder(long batch, Pass pass) {
    Trunk.Stepper stepper = trunk.stepper(batch, pass);
    Tensor input = pass.get(start).expand(batch, -1).clone(); // [B, E]
    return new Decoder() {
      private int position;

      @Override
      public Tensor logits() {
        return head.at(position, stepper.next(input).unsqueeze(1), pass);
      }

      @Override
      public void append(Tensor ids) {
        input.copy_(embedding.at(position, ids, pass).squeeze(1));
        position++;
      }
    };
  }
}
