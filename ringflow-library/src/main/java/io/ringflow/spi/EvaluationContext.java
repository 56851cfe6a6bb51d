package io.ringflow.spi;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import org.bytedeco.pytorch.Tensor;

/**
 * What one evaluation of a model needs besides the symbols: weights, condition, dropout, and how
 * gradients are estimated.
 *
 * @param values of parameters and buffers
 * @param condition of each row
 * @param dropout of the networks' units; {@link Dropout#NONE} except in training
 * @param estimator of gradients through the choice of moves; {@link GradientEstimator#NONE} except
 *     in training
 */
public record EvaluationContext(
    ParameterValues values, Condition condition, Dropout dropout, GradientEstimator estimator) {
  /** An evaluation without gradients. */
  public EvaluationContext(ParameterValues values, Condition condition) {
    this(values, condition, Dropout.NONE, GradientEstimator.NONE);
  }

  /** The tensor of a parameter; borrowed. */
  public Tensor get(Parameter parameter) {
    return values.get(parameter);
  }

  /** The tensor of a buffer; borrowed. */
  public Tensor get(Buffer buffer) {
    return values.get(buffer);
  }

  /** Where it is evaluated. */
  public Device device() {
    return values.device();
  }

  /** The floating-point type in which networks compute. */
  public Precision precision() {
    return values.precision();
  }
}
