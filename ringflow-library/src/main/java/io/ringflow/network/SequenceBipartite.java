package io.ringflow.network;

import io.ringflow.Conditioner;
import io.ringflow.Constant;
import io.ringflow.Declarations;
import io.ringflow.Mask;
import io.ringflow.Pass;
import io.ringflow.Space;
import io.ringflow.Symbols;
import org.bytedeco.pytorch.Tensor;

/** A trunk that sees both ways over all positions, of which the moved ones are hidden. */
final class SequenceBipartite implements Conditioner {
  private final MaskedEmbedding embedding;
  private final Trunk trunk;
  private final Head head;
  private final Constant moved;

  SequenceBipartite(Space space, Mask mask, int embedding, Trunk trunk, int width) {
    this.embedding = new MaskedEmbedding(space, mask, embedding);
    this.trunk = trunk;
    this.head = new Head(space.select(mask.moved()), trunk.hidden(), width);
    this.moved = Constant.longs(mask.moved());
  }

  @Override
  public void declare(Declarations declarations) {
    embedding.declare(declarations.within("embedding"));
    trunk.declare(declarations.within("trunk"));
    head.declare(declarations.within("head"));
    declarations.constant(moved);
  }

  @Override
  public Tensor logits(Symbols symbols, Pass pass) {
    Tensor read = trunk.apply(embedding.apply(symbols, pass), pass);
    return head.apply(read.index_select(1, pass.get(moved)), pass);
  }
}
