package io.ringflow.network;

import io.ringflow.Declarations;
import io.ringflow.Parameter;
import io.ringflow.Parametric;
import io.ringflow.Pass;
import io.ringflow.Space;
import io.ringflow.torch.Tensors;
import org.bytedeco.pytorch.Tensor;

/**
 * From hidden vectors to logits; shared by all positions of a uniform space, and one for each
 * position otherwise: the mirror image of {@link Embedding}.
 */
final class Head implements Parametric {
  private final boolean shared;
  private final int width;
  private final Parameter weight; // [width, H] or [D, width, H]
  private final Parameter bias; // [width] or [D, width]

  /** Logits for the given positions. */
  Head(Space positions, int hidden, int width) {
    double bound = 1 / Math.sqrt(hidden);
    long size = positions.size();
    this.width = width;
    this.shared = positions.isUniform();
    this.weight =
        shared
            ? Parameter.uniform(bound, width, hidden)
            : Parameter.uniform(bound, size, width, hidden);
    this.bias = shared ? Parameter.zeros(width) : Parameter.zeros(size, width);
  }

  @Override
  public void declare(Declarations declarations) {
    declarations.parameter("weight", weight);
    declarations.parameter("bias", bias);
  }

  /** Logits of all positions: {@code [B, D, H]} to {@code [B, D, width]}. */
  Tensor apply(Tensor hidden, Pass pass) {
    if (shared) {
      Tensor matrix = Tensors.paddedForMatrixUnits(pass.get(weight), 1);
      Tensor offset = Tensors.paddedForMatrixUnits(pass.get(bias), 0);
      return Tensors.linear(hidden, matrix, offset).narrow(-1, 0, width);
    }
    Tensor byPosition = pass.get(weight).transpose(1, 2); // [D, H, width]
    return hidden.transpose(0, 1).bmm(byPosition).transpose(0, 1).add(pass.get(bias));
  }

  /** Logits of one position: {@code [B, H]} to {@code [B, width]}. */
  Tensor at(int position, Tensor hidden, Pass pass) {
    Tensor matrix = pass.get(weight);
    Tensor offset = pass.get(bias);
    return shared
        ? Tensors.linear(hidden, matrix, offset)
        : Tensors.linear(hidden, matrix.select(0, position), offset.select(0, position));
  }
}
