package io.ringflow.network;

import io.ringflow.core.Space;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Tensor;

/**
 * A linear map from hidden vectors to logits, the counterpart of {@link Embedding}: shared by all
 * positions of a uniform space, and one for each position otherwise.
 */
final class Head implements Module {
  private final boolean shared;
  private final int width;
  private final Parameter weight; // [width, H] or [D, width, H]
  private final Parameter bias; // [width] or [D, width]

  /** The head of some positions. */
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
  public void register(ParameterRegistry registry) {
    registry.parameter("weight", weight);
    registry.parameter("bias", bias);
  }

  /** Logits of all positions: {@code [B, D, H]} to {@code [B, D, width]}. */
  Tensor apply(Tensor hidden, EvaluationContext context) {
    if (shared) {
      Tensor matrix = Tensors.paddedForMatrixUnits(context.get(weight), 1);
      Tensor offset = Tensors.paddedForMatrixUnits(context.get(bias), 0);
      return Tensors.linear(hidden, matrix, offset).narrow(-1, 0, width);
    }
    return at(0, hidden, context);
  }

  /** Logits of the positions {@code from …}: {@code [B, n, H]} to {@code [B, n, width]}. */
  Tensor at(int from, Tensor hidden, EvaluationContext context) {
    if (shared) {
      return Tensors.linear(hidden, context.get(weight), context.get(bias));
    }
    long count = hidden.size(1);
    Tensor byPosition = context.get(weight).narrow(0, from, count).transpose(1, 2); // [n, H, width]
    Tensor products = hidden.transpose(0, 1).bmm(byPosition).transpose(0, 1);
    return products.add(context.get(bias).narrow(0, from, count));
  }
}
