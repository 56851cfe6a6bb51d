package io.ringflow.train;

import io.ringflow.train.WeightUpdate.Part;
import java.util.Collections;
import java.util.List;
import org.bytedeco.pytorch.Dispatcher;
import org.bytedeco.pytorch.GenericList;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.OperatorHandle;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorType;
import org.bytedeco.pytorch.Type;

/**
 * AdamW on parts of flat buffers: one call of libtorch's fused kernel for all that learn at one
 * rate.
 *
 * <p>The kernel is reached by name, because the binding's own optimiser loops over parameters, a
 * dozen kernels each.
 *
 * @param values to update; borrowed, like the others
 * @param firstMoment the running mean of gradients
 * @param secondMoment the running mean of squared gradients
 */
record AdamW(
    Tensor values, Tensor gradients, Tensor firstMoment, Tensor secondMoment, double weightDecay) {
  private static final double BETA1 = 0.9;
  private static final double BETA2 = 0.99;
  private static final double EPSILON = 1e-8;

  /**
   * One update at a rate that is known on the host.
   *
   * @param count steps done with this one, float32, a single element
   */
  void update(List<Part> parts, Tensor count, double rate) {
    update("", parts, count, new IValue(rate));
  }

  /**
   * One update at a rate that is known on the device alone.
   *
   * @param count steps done with this one, float32, a single element
   * @param rate float32, without dimensions
   */
  void update(List<Part> parts, Tensor count, Tensor rate) {
    update("tensor_lr", parts, count, new IValue(rate));
  }

  private void update(String overload, List<Part> parts, Tensor count, IValue rate) {
    if (parts.isEmpty()) {
      return;
    }
    IValueVector stack = new IValueVector();
    for (Tensor all : List.of(values, gradients, firstMoment, secondMoment)) {
      stack.push_back(
          list(parts.stream().map(part -> all.narrow(0, part.from(), part.count())).toList()));
    }
    stack.push_back(list(List.of())); // no AMSGrad
    stack.push_back(list(Collections.nCopies(parts.size(), count)));
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

  private static IValue list(List<Tensor> tensors) {
    // TypePtr, because the constructor that takes a Pointer is a cast and would be picked silently.
    GenericList list = new GenericList(new Type.TypePtr(TensorType.get()));
    for (Tensor tensor : tensors) {
      list.push_back(new IValue(tensor));
    }
    return new IValue(list);
  }
}
