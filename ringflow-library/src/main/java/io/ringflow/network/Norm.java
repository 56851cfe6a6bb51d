package io.ringflow.network;

import io.ringflow.Declarations;
import io.ringflow.Parameter;
import io.ringflow.Parametric;
import io.ringflow.Pass;
import io.ringflow.torch.Tensors;
import org.bytedeco.pytorch.Tensor;

/** Layer normalisation over the last dimension. */
final class Norm implements Parametric {
  private final Parameter weight;
  private final Parameter bias;

  Norm(long width) {
    this.weight = Parameter.ones(width);
    this.bias = Parameter.zeros(width);
  }

  @Override
  public void declare(Declarations declarations) {
    declarations.parameter("weight", weight);
    declarations.parameter("bias", bias);
  }

  Tensor apply(Tensor x, Pass pass) {
    return Tensors.layerNorm(x, pass.get(weight), pass.get(bias));
  }
}
