package io.ringflow.network;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.T_TensorTensorTensor_T;
import org.bytedeco.pytorch.T_TensorTensor_T;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** Stacked LSTM layers in one or both directions, on the kernels of libtorch. */
final class Recurrence implements Module {
  /** Shorter sequences do not pay for weights that are transposed first. */
  private static final int MIN_UNROLLED = 8;

  /** The state between two positions, both {@code [layers * directions, B, H]}. */
  record State(Tensor hidden, Tensor cell) {}

  /** The output of the last layer, {@code [B, T, H * directions]}, and the last state. */
  record Result(Tensor output, State state) {}

  private static final String[] NAMES = {"weight_ih", "weight_hh", "bias_ih", "bias_hh"};

  private final int hidden;
  private final int layers;
  private final boolean bidirectional;
  private final List<Parameter> parameters = new ArrayList<>(); // by layer, direction and name

  Recurrence(int input, int hidden, int layers, boolean bidirectional) {
    this.hidden = hidden;
    this.layers = layers;
    this.bidirectional = bidirectional;
    int directions = bidirectional ? 2 : 1;
    double bound = 1 / Math.sqrt(hidden);
    for (int layer = 0; layer < layers; layer++) {
      int in = layer == 0 ? input : hidden * directions;
      for (int direction = 0; direction < directions; direction++) {
        parameters.add(Parameter.uniform(bound, 4L * hidden, in));
        parameters.add(Parameter.uniform(bound, 4L * hidden, hidden));
        parameters.add(Parameter.uniform(bound, 4L * hidden));
        parameters.add(Parameter.uniform(bound, 4L * hidden));
      }
    }
  }

  @Override
  public void register(ParameterRegistry registry) {
    for (int i = 0; i < parameters.size(); i++) {
      registry.parameter(i / 4 + "." + NAMES[i % 4], parameters.get(i));
    }
  }

  /** The state before the first element. */
  State zeroState(long batch, EvaluationContext context) {
    Tensor zero =
        Tensors.zeros(context.get(parameters.get(0)), parameters.size() / 4, batch, hidden);
    return new State(zero, zero);
  }

  /** Reads a whole sequence {@code [B, T, in]}, with dropout between the layers if it is active. */
  Result run(Tensor input, State first, EvaluationContext context) {
    if (isUnrolled(input, context)) {
      return unrolled(input, first, context);
    }
    if (layers == 1 || !context.dropout().active()) {
      return run(input, first, 0, layers, context);
    }
    int directions = bidirectional ? 2 : 1;
    Result result = new Result(input, first);
    TensorVector hidden = new TensorVector();
    TensorVector cell = new TensorVector();
    for (int layer = 0; layer < layers; layer++) {
      State firstOfLayer =
          new State(
              first.hidden.narrow(0, (long) layer * directions, directions),
              first.cell.narrow(0, (long) layer * directions, directions));
      Tensor read = layer == 0 ? input : context.dropout().on(result.output);
      result = run(read, firstOfLayer, layer, 1, context);
      hidden.push_back(result.state.hidden);
      cell.push_back(result.state.cell);
    }
    return new Result(result.output, new State(torch.cat(hidden, 0), torch.cat(cell, 0)));
  }

  private boolean isUnrolled(Tensor input, EvaluationContext context) {
    return !bidirectional
        && input.size(1) >= MIN_UNROLLED
        && !Tensors.recordsGradients()
        && !context.dropout().active()
        && context.precision() == Precision.FLOAT64
        && context.device() == Device.CPU;
  }

  private Result unrolled(Tensor input, State first, EvaluationContext context) {
    Tensor cells = first.cell.clone();
    Tensor output = input;
    TensorVector last = new TensorVector();
    for (int layer = 0; layer < layers; layer++) {
      Tensor[] weights =
          parameters.subList(4 * layer, 4 * layer + 4).stream()
              .map(context::get)
              .toArray(Tensor[]::new);
      output =
          new UnrolledLstm(weights[0], weights[1], weights[2], weights[3])
              .run(output, first.hidden.select(0, layer), cells.select(0, layer));
      last.push_back(output.select(1, output.size(1) - 1));
    }
    return new Result(output, new State(torch.stack(last, 0), cells));
  }

  private Result run(Tensor input, State first, int from, int count, EvaluationContext context) {
    int perLayer = parameters.size() / layers;
    TensorVector weights = new TensorVector();
    parameters
        .subList(from * perLayer, (from + count) * perLayer)
        .forEach(parameter -> weights.push_back(context.get(parameter)));
    T_TensorTensorTensor_T result =
        torch.lstm(
            input,
            // cuDNN takes no state that is a slice of another.
            new TensorVector(first.hidden.contiguous(), first.cell.contiguous()),
            weights,
            true,
            count,
            0.0,
            Tensors.recordsGradients(),
            bidirectional,
            true);
    return new Result(result.get0(), new State(result.get1(), result.get2()));
  }

  /**
   * Reads one more element {@code [B, in]} left to right, and updates the state in place.
   *
   * @return the last layer's output {@code [B, H]}
   */
  Tensor step(Tensor input, State state, EvaluationContext context) {
    Tensor x = input;
    for (int layer = 0; layer < layers; layer++) {
      Tensor h = state.hidden.select(0, layer);
      Tensor c = state.cell.select(0, layer);
      T_TensorTensor_T next =
          torch.lstm_cell(
              x,
              new TensorVector(h, c),
              context.get(parameters.get(4 * layer)),
              context.get(parameters.get(4 * layer + 1)),
              new TensorOptional(context.get(parameters.get(4 * layer + 2))),
              new TensorOptional(context.get(parameters.get(4 * layer + 3))));
      h.copy_(next.get0());
      c.copy_(next.get1());
      x = h;
    }
    return x;
  }
}
