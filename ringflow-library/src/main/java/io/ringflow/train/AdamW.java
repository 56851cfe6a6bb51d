package io.ringflow.train;

import io.ringflow.core.Precision;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import java.util.List;
import org.bytedeco.pytorch.Dispatcher;
import org.bytedeco.pytorch.GenericList;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.OperatorHandle;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorType;
import org.bytedeco.pytorch.Type;

/**
 * AdamW on the flat buffers of a model: libtorch's fused kernel, one call for the layers and one
 * for the base.
 *
 * <p>The kernel is reached by name, because the binding's own optimiser loops over parameters, a
 * dozen kernels each.
 */
final class AdamW {
  private static final double BETA1 = 0.9;
  private static final double BETA2 = 0.99;
  private static final double EPSILON = 1e-8;

  private final Tensor values;
  private final Tensor gradients;
  private final List<Long> layerStarts;
  private final long layerElements;
  private final double weightDecay;
  private final Tensor firstMoment;
  private final Tensor secondMoment;
  private final Tensor stepCount;

  AdamW(Weights weights, double weightDecay, TensorOwner owner) {
    this.values = weights.values();
    this.gradients = weights.trackGradients();
    this.layerStarts = weights.layerStarts();
    this.layerElements = weights.layerElements();
    this.weightDecay = weightDecay;
    try (Scope scope = Scope.inference()) {
      this.firstMoment = owner.keep(Tensors.zeros(values, values.numel()));
      this.secondMoment = owner.keep(Tensors.zeros(values, values.numel()));
      this.stepCount = owner.keep(Tensors.zeros(Precision.FLOAT32, weights.device(), 1));
    }
  }

  /** The running mean of gradients; borrowed. */
  Tensor firstMoment() {
    return firstMoment;
  }

  /** The running mean of squared gradients; borrowed. */
  Tensor secondMoment() {
    return secondMoment;
  }

  /**
   * One update.
   *
   * @param step steps done before this one
   * @param layerRates one for each layer, from the base to the data
   */
  void step(long step, double[] layerRates, double baseRate) {
    stepCount.fill_(new Scalar((double) (step + 1)));
    int layer = 0;
    while (layer < layerRates.length) {
      int next = layer + 1;
      while (next < layerRates.length && layerRates[next] == layerRates[layer]) {
        next++; // neighbours with the same rate are one call
      }
      long to = next < layerRates.length ? layerStarts.get(next) : layerElements;
      update(layerStarts.get(layer), to - layerStarts.get(layer), layerRates[layer]);
      layer = next;
    }
    update(layerElements, values.numel() - layerElements, baseRate);
    // libtorch does not count the writes of its fused kernel, by which the model knows that its
    // copy in float64 is stale. It counts this one, of nothing.
    values.narrow(0, 0, 0).zero_();
  }

  private void update(long from, long count, double rate) {
    if (count == 0 || rate == 0) {
      return;
    }
    IValueVector stack = new IValueVector();
    stack.push_back(list(values.narrow(0, from, count)));
    stack.push_back(list(gradients.narrow(0, from, count)));
    stack.push_back(list(firstMoment.narrow(0, from, count)));
    stack.push_back(list(secondMoment.narrow(0, from, count)));
    stack.push_back(list()); // no AMSGrad
    stack.push_back(list(stepCount));
    for (double option : new double[] {rate, BETA1, BETA2, weightDecay, EPSILON}) {
      stack.push_back(new IValue(option));
    }
    stack.push_back(new IValue(false)); // amsgrad
    stack.push_back(new IValue(false)); // maximize
    stack.push_back(new IValue()); // grad_scale
    stack.push_back(new IValue()); // found_inf
    OperatorHandle fused = Dispatcher.singleton().findSchemaOrThrow("aten::_fused_adamw_", "");
    fused.callBoxed(stack);
  }

  private static IValue list(Tensor... tensors) {
    // TypePtr, because the constructor that takes a Pointer is a cast and would be picked silently.
    GenericList list = new GenericList(new Type.TypePtr(TensorType.get()));
    for (Tensor tensor : tensors) {
      list.push_back(new IValue(tensor));
    }
    return new IValue(list);
  }
}
