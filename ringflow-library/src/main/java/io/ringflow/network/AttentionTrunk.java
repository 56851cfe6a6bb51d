package io.ringflow.network;

import io.ringflow.Declarations;
import io.ringflow.Parameter;
import io.ringflow.Pass;
import io.ringflow.Space;
import io.ringflow.Symbols;
import io.ringflow.torch.Tensors;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * Attention blocks from left to right over learned positions, with what is given in front of the
 * sequence.
 */
final class AttentionTrunk implements Trunk {
  private final int hidden;
  private final int prefix;
  private final int length;
  private final Embedding given;
  private final Parameter positions; // [C + D, width]
  private final AttentionStack stack;

  AttentionTrunk(Transformer sizes, Space space, Space given) {
    this.hidden = sizes.width();
    this.prefix = given.size();
    this.length = prefix + space.size();
    this.given = prefix == 0 ? null : new Embedding(given, hidden);
    this.positions = Parameter.normal(1 / Math.sqrt(hidden), length, hidden);
    this.stack = new AttentionStack(sizes);
  }

  @Override
  public void declare(Declarations declarations) {
    if (prefix > 0) {
      given.declare(declarations.within("given"));
    }
    declarations.parameter("positions", positions);
    stack.declare(declarations);
  }

  @Override
  public int hidden() {
    return hidden;
  }

  @Override
  public Tensor apply(Tensor vectors, Pass pass) {
    Tensor sequence = prefix == 0 ? vectors : Tensors.cat(1, givenVectors(pass), vectors);
    Tensor read = stack.causal(sequence.add(pass.get(positions)), pass);
    return read.narrow(1, prefix, length - (long) prefix);
  }

  @Override
  public Stepper stepper(long batch, Pass pass) {
    List<AttentionBlock.Cache> caches = stack.caches(batch, length, pass.get(positions));
    if (prefix > 0) {
      read(givenVectors(pass), caches, 0, pass);
    }
    return new Stepper() {
      private long position = prefix;

      @Override
      public Tensor next(Tensor vector) {
        Tensor x = read(vector.unsqueeze(1), caches, position, pass);
        position++;
        return x.squeeze(1);
      }
    };
  }

  private Tensor read(Tensor vectors, List<AttentionBlock.Cache> caches, long from, Pass pass) {
    Tensor x = vectors.add(pass.get(positions).narrow(0, from, vectors.size(1)));
    return stack.extend(x, caches, from, pass);
  }

  private Tensor givenVectors(Pass pass) {
    return given.apply(Symbols.of(pass.context().ids()), pass);
  }
}
