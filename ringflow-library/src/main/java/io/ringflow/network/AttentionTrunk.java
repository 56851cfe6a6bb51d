package io.ringflow.network;

import io.ringflow.Declarations;
import io.ringflow.Parameter;
import io.ringflow.Pass;
import io.ringflow.Space;
import io.ringflow.Symbols;
import io.ringflow.torch.Scope;
import io.ringflow.torch.Tensors;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;

/** Attention blocks over learned positions, with what is given in front of the sequence. */
final class AttentionTrunk implements Trunk {
  private final boolean causal;
  private final int hidden;
  private final int prefix;
  private final int length;
  private final Embedding given;
  private final Parameter positions; // [C + D, width]
  private final List<AttentionBlock> blocks;
  private final Norm norm;

  AttentionTrunk(Transformer sizes, Space space, Space given, boolean causal) {
    this.causal = causal;
    this.hidden = sizes.width();
    this.prefix = given.size();
    this.length = prefix + space.size();
    this.given = prefix == 0 ? null : new Embedding(given, hidden);
    this.positions = Parameter.normal(1 / Math.sqrt(hidden), length, hidden);
    this.blocks = Stream.generate(() -> new AttentionBlock(sizes)).limit(sizes.layers()).toList();
    this.norm = new Norm(hidden);
  }

  @Override
  public void declare(Declarations declarations) {
    if (prefix > 0) {
      given.declare(declarations.within("given"));
    }
    declarations.parameter("positions", positions);
    for (int i = 0; i < blocks.size(); i++) {
      blocks.get(i).declare(declarations.within("blocks." + i));
    }
    norm.declare(declarations.within("norm"));
  }

  @Override
  public int hidden() {
    return hidden;
  }

  @Override
  public Tensor apply(Tensor vectors, boolean training, Pass pass) {
    Tensor sequence = prefix == 0 ? vectors : Tensors.cat(1, givenVectors(pass), vectors);
    Tensor x = sequence.add(pass.get(positions));
    for (AttentionBlock block : blocks) {
      Tensor before = x;
      x = Scope.handUp(() -> block.apply(before, causal, pass));
    }
    return norm.apply(x.narrow(1, prefix, length - (long) prefix), pass);
  }

  @Override
  public Stepper stepper(long batch, Pass pass) {
    Tensor like = pass.get(positions);
    List<AttentionBlock.Cache> caches =
        blocks.stream().map(block -> block.cache(batch, length, like)).toList();
    if (prefix > 0) {
      read(givenVectors(pass), caches, 0, pass);
    }
    return new Stepper() {
      private long position = prefix;

      @Override
      public Tensor next(Tensor vector) {
        Tensor x = read(vector.unsqueeze(1), caches, position, pass);
        position++;
        return norm.apply(x, pass).squeeze(1);
      }
    };
  }

  private Tensor read(Tensor vectors, List<AttentionBlock.Cache> caches, long from, Pass pass) {
    Tensor x = vectors.add(pass.get(positions).narrow(0, from, vectors.size(1)));
    for (int i = 0; i < blocks.size(); i++) {
      x = blocks.get(i).extend(x, caches.get(i), from, pass);
    }
    return x;
  }

  private Tensor givenVectors(Pass pass) {
    return given.apply(Symbols.of(pass.context().ids()), pass);
  }
}
