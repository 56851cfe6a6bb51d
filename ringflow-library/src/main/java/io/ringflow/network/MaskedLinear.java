package io.ringflow.network;

import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/** {@code x (W * mask)^T + b}, in which a unit reads from units of at most its own degree. */
final class MaskedLinear implements Module {
  private final Parameter weight; // [out, in]
  private final Parameter bias; // [out]
  private final Buffer mask; // [out, in]
  private final double scale; // of the inputs
  private final boolean sparse; // whether outputs leave out inputs of lower degree

  /** A masked linear map between units of the given degrees. */
  MaskedLinear(int[] in, int[] out) {
    int most = Arrays.stream(out).max().orElse(Integer.MIN_VALUE);
    int fanIn = (int) Math.max(1, Arrays.stream(in).filter(degree -> degree <= most).count());
    this.weight = Parameter.uniform(1 / Math.sqrt(fanIn), out.length, in.length);
    this.bias = Parameter.uniform(1 / Math.sqrt(fanIn), out.length);
    this.mask = mask(in, out, (i, o) -> true);
    this.scale = 1;
    this.sparse = false;
  }

  private MaskedLinear(int[] in, int[] out, Connection connection, double scale, boolean sparse) {
    this.weight = Parameter.zeros(out.length, in.length);
    this.bias = Parameter.zeros(out.length);
    this.mask = mask(in, out, connection);
    this.scale = scale;
    this.sparse = sparse;
  }

  /** Which inputs an output reads, of those of low enough degree. */
  @FunctionalInterface
  interface Connection {
    boolean reads(int in, int out);
  }

  /**
   * One whose outputs are zero at first, and whose inputs are divided by the square root of their
   * number: an optimiser that moves all weights by the same would else move an output by as much as
   * it has inputs.
   */
  static MaskedLinear silent(int[] in, int[] out) {
    return new MaskedLinear(in, out, (i, o) -> true, 1 / Math.sqrt(in.length), false);
  }

  /**
   * One whose outputs are zero at first, and read some of the inputs.
   *
   * @param scale what inputs are multiplied with
   */
  static MaskedLinear silent(int[] in, int[] out, Connection connection, double scale) {
    return new MaskedLinear(in, out, connection, scale, true);
  }

  private static Buffer mask(int[] in, int[] out, Connection connection) {
    return Buffer.reals(() -> connected(in, out, connection), out.length, in.length);
  }

  private static double[] connected(int[] in, int[] out, Connection connection) {
    double[] connected = new double[Math.multiplyExact(out.length, in.length)];
    for (int o = 0; o < out.length; o++) {
      for (int i = 0; i < in.length; i++) {
        connected[o * in.length + i] = in[i] <= out[o] && connection.reads(i, o) ? 1 : 0;
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

  /** The weights of every input, {@code [in, out]}, also those that are masked. */
  Tensor vectors(EvaluationContext context) {
    return context.get(weight).t().contiguous();
  }

  /**
   * The weights of some inputs, which all of some outputs read: {@code [inputs, outputs]}.
   *
   * @param first input
   * @param from the first output
   */
  Tensor vectors(long first, long inputs, long from, long outputs, EvaluationContext context) {
    return context.get(weight).narrow(0, from, outputs).narrow(1, first, inputs).t();
  }

  Tensor apply(Tensor x, EvaluationContext context) {
    Tensor read = context.get(weight).mul(context.get(mask));
    return Tensors.linear(scaled(x), read, context.get(bias));
  }

  private Tensor scaled(Tensor x) {
    return scale == 1 ? x : x.mul(new Scalar(scale));
  }

  /**
   * The outputs {@code from … from + count - 1} alone, of which each may read all of the first
   * inputs and none of the others: so there is nothing to mask, unless outputs leave some of these
   * out.
   *
   * @param inputs how many these first ones are
   */
  Tensor apply(Tensor x, long inputs, long from, long count, EvaluationContext context) {
    Tensor biases = context.get(bias).narrow(0, from, count);
    if (inputs == 0) {
      return biases.expand(x.size(0), -1);
    }
    Tensor read = context.get(weight).narrow(0, from, count).narrow(1, 0, inputs);
    if (sparse) {
      read = read.mul(context.get(mask).narrow(0, from, count).narrow(1, 0, inputs));
    }
    return Tensors.linear(scaled(x.narrow(1, 0, inputs)), read, biases);
  }
}
