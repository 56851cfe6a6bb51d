package io.ringflow.spi;

import io.ringflow.internal.engine.Weights;
import org.bytedeco.pytorch.Tensor;

/**
 * One evaluation of a model: with which weights, given what, and how its gradients are made.
 *
 * @param weights where parameters and constants are found
 * @param condition what the rows are conditioned on
 * @param temperature tau of the straight-through gradient; read only where symbols carry a shadow
 * @param dropout what the networks leave out at random; {@link Dropout#NONE} but in training
 */
public record EvaluationContext(
    Weights weights, Condition condition, double temperature, Dropout dropout) {
  /** The temperature the paper fixes. */
  public static final double PAPER_TEMPERATURE = 0.1;

  /** An evaluation that leaves out nothing. */
  public EvaluationContext(Weights weights, Condition condition, double temperature) {
    this(weights, condition, temperature, Dropout.NONE);
  }

  /** An evaluation without gradients. */
  public static EvaluationContext of(Weights weights, Condition condition) {
    return new EvaluationContext(weights, condition, PAPER_TEMPERATURE);
  }

  /** The tensor of a parameter; borrowed. */
  public Tensor get(Parameter parameter) {
    return weights.get(parameter);
  }

  /** The tensor of a constant; borrowed. */
  public Tensor get(Buffer constant) {
    return weights.get(constant);
  }
}
