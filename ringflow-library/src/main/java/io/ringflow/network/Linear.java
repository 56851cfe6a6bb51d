package io.ringflow.network;

import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Tensor;

/** {@code x W^T + b} over the last dimension. */
final class Linear implements Module {
  private final Parameter weight; // [out, in]
  private final Parameter bias; // [out]

  /**
   * A linear map with weights uniform within {@code gain / sqrt(in)} and zero bias.
   *
   * @param gain below 1 where many outputs are summed, as in residual branches
   */
  Linear(long in, long out, double gain) {
    this(in, out, gain, 1);
  }

  /**
   * Several such maps side by side.
   *
   * @param out of all together
   */
  Linear(long in, long out, double gain, int maps) {
    this.weight = Parameter.uniform(gain / Math.sqrt((double) in), out, in).asMatrices(maps);
    this.bias = Parameter.zeros(out);
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.parameter("weight", weight);
    registry.parameter("bias", bias);
  }

  /** The outputs {@code from … from + count - 1} alone. */
  Tensor apply(Tensor x, long from, long count, EvaluationContext context) {
    return Tensors.linear(
        x, context.get(weight).narrow(0, from, count), context.get(bias).narrow(0, from, count));
  }

  Tensor apply(Tensor x, EvaluationContext context) {
    return Tensors.linear(x, context.get(weight), context.get(bias));
  }

  /** Room for the outputs of n vectors of each row, {@code [B, n, out]}. */
  Tensor zeros(long batch, long count, EvaluationContext context) {
    return Tensors.zeros(context.get(bias), batch, count, context.get(bias).size(0));
  }

  /** The outputs, for those who find the gradient of the {@link #bias} themselves. */
  Tensor applyWithoutBiasGradient(Tensor x, EvaluationContext context) {
    return Tensors.linear(x, context.get(weight), context.get(bias).detach());
  }

  /** What is added to the outputs; borrowed. */
  Tensor bias(EvaluationContext context) {
    return context.get(bias);
  }
}
