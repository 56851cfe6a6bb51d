package io.ringflow.train;

import io.ringflow.core.Precision;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
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
   * Which parts of the buffer an update changes, and how fast.
   *
   * @param rates one for each part
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Plan(List<Part> parts, double[] rates) {}

  /** Neighbours in the buffer that learn at one rate. */
  record Part(long from, long count) {}

  /**
   * The update for given rates; what has rate 0 stays as it is.
   *
   * @param layerRates one for each layer, from the base to the data
   */
  Plan plan(double[] layerRates, double baseRate) {
    List<Part> parts = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    int layer = 0;
    while (layer < layerRates.length) {
      int next = layer + 1;
      while (next < layerRates.length && layerRates[next] == layerRates[layer]) {
        next++; // neighbours with the same rate are one call
      }
      long to = next < layerRates.length ? layerStarts.get(next) : layerElements;
      parts.add(new Part(layerStarts.get(layer), to - layerStarts.get(layer)));
      rates.add(layerRates[layer]);
      layer = next;
    }
    parts.add(new Part(layerElements, values.numel() - layerElements));
    rates.add(baseRate);
    for (int i = parts.size() - 1; i >= 0; i--) {
      if (parts.get(i).count == 0 || rates.get(i) == 0) {
        parts.remove(i);
        rates.remove(i);
      }
    }
    return new Plan(List.copyOf(parts), rates.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /**
   * One update, whose rates are known on the host.
   *
   * @param step steps done before this one
   */
  void step(long step, Plan plan) {
    stepCount.fill_(new Scalar((double) (step + 1)));
    for (int i = 0; i < plan.parts.size(); i++) {
      update("", plan.parts.get(i), stepCount, new IValue(plan.rates[i]));
    }
    countWrite();
  }

  /**
   * One update, whose rates are known on the device alone.
   *
   * @param count steps done with this one, float32, a single element
   * @param rates float32, one for each part
   */
  void step(Tensor count, List<Part> parts, Tensor rates) {
    for (int i = 0; i < parts.size(); i++) {
      update("tensor_lr", parts.get(i), count, new IValue(rates.select(0, i)));
    }
  }

  /**
   * Tells whoever has copies of the weights that they changed: libtorch counts writes, but neither
   * those of its fused kernel nor those of a graph. It counts this one, of nothing.
   */
  void countWrite() {
    try (Scope scope = Scope.inference()) {
      values.narrow(0, 0, 0).zero_();
    }
  }

  private void update(String overload, Part part, Tensor count, IValue rate) {
    IValueVector stack = new IValueVector();
    for (Tensor all : List.of(values, gradients, firstMoment, secondMoment)) {
      stack.push_back(list(all.narrow(0, part.from, part.count)));
    }
    stack.push_back(list()); // no AMSGrad
    stack.push_back(list(count));
    stack.push_back(rate);
    for (double option : new double[] {BETA1, BETA2, weightDecay, EPSILON}) {
      stack.push_back(new IValue(option));
    }
    stack.push_back(new IValue(false)); // amsgrad
    stack.push_back(new IValue(false)); // maximize
    stack.push_back(new IValue()); // grad_scale
    stack.push_back(new IValue()); // found_inf
    OperatorHandle fused =
        Dispatcher.singleton().findSchemaOrThrow("aten::_fused_adamw_", overload);
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
