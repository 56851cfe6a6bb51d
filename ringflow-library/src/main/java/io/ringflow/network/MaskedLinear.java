package io.ringflow.network;

import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;

/** {@code x (W * mask)^T + b}, in which a unit reads from units of at most its own degree. */
final class MaskedLinear implements Module {
  private final Parameter weight; // [out, in]
  private final Parameter bias; // [out]
  private final Buffer mask; // [out, in]

  /** A masked linear map between units of the given degrees. */
  MaskedLinear(int[] in, int[] out) {
    int most = Arrays.stream(out).max().orElse(Integer.MIN_VALUE);
    int fanIn = (int) Math.max(1, Arrays.stream(in).filter(degree -> degree <= most).count());
    this.weight = Parameter.uniform(1 / Math.sqrt(fanIn), out.length, in.length);
    this.bias = Parameter.uniform(1 / Math.sqrt(fanIn), out.length);
    this.mask = Buffer.reals(() -> connected(in, out), out.length, in.length);
  }

  private static double[] connected(int[] in, int[] out) {
    double[] connected = new double[Math.multiplyExact(out.length, in.length)];
    for (int o = 0; o < out.length; o++) {
      for (int i = 0; i < in.length; i++) {
        connected[o * in.length + i] = in[i] <= out[o] ? 1 : 0;
      }
    }
    return connected;
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.parameter("weight", weight);
    registry.parameter("bias", bias);
    registry.buffer(mask);
  }

  /** What every unit begins with, {@code [out]}; borrowed. */
  Tensor biases(EvaluationContext context) {
    return context.get(bias);
  }

  /**
   * The weights of some inputs, which all of some outputs read: {@code [inputs, outputs]}.
   *
   * @param first input
   * @param from the first output
   */
  Tensor vectors(long first, long inputs, long from, long outputs, EvaluationContext context) {
    return context
        .get(weight)
        .narrow(0, from, outputs)
        .narrow(1, first, inputs)
        .transpose(0, 1)
        .contiguous();
  }

  Tensor apply(Tensor x, EvaluationContext context) {
    return Tensors.linear(x, context.get(weight).mul(context.get(mask)), context.get(bias));
  }

  /**
   * The outputs {@code from … from + count - 1} alone, of which each reads all of the first inputs
   * and none of the others: so there is nothing to mask.
   *
   * @param inputs how many these first ones are
   */
  Tensor apply(Tensor x, long inputs, long from, long count, EvaluationContext context) {
    Tensor biases = context.get(bias).narrow(0, from, count);
    if (inputs == 0) {
      return biases.expand(x.size(0), -1);
    }
    Tensor read = context.get(weight).narrow(0, from, count).narrow(1, 0, inputs);
    return Tensors.linear(x.narrow(1, 0, inputs), read, biases);
  }
}
