package io.ringflow;

import org.bytedeco.pytorch.Tensor;

/**
 * One evaluation of a model: with which weights, given what, and how soft the gradients are.
 *
 * @param weights where parameters and constants are found
 * @param context what the rows are conditioned on
 * @param temperature tau of the straight-through gradient; read only where symbols carry a shadow
 */
public record Pass(Weights weights, Context context, double temperature) {
  /** The temperature the paper fixes. */
  public static final double PAPER_TEMPERATURE = 0.1;

  /** An evaluation without gradients. */
  public static Pass of(Weights weights, Context context) {
    return new Pass(weights, context, PAPER_TEMPERATURE);
  }

  /** The tensor of a parameter; borrowed. */
  public Tensor get(Parameter parameter) {
    return weights.get(parameter);
  }

  /** The tensor of a constant; borrowed. */
  public Tensor get(Constant constant) {
    return weights.get(constant);
  }
}
