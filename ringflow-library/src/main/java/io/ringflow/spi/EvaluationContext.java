package io.ringflow.spi;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import java.util.function.Supplier;
import org.bytedeco.pytorch.Tensor;

/**
 * What one evaluation of a model needs besides the symbols: weights, condition, dropout, and how
 * gradients are estimated and computed.
 *
 * @param values of parameters and buffers
 * @param condition of each row
 * @param dropout of the networks' units; {@link Dropout#NONE} except in training
 * @param estimator of gradients through the choice of moves; {@link GradientEstimator#NONE} except
 *     in training
 * @param tape for gradients of a network's own making; {@link BackwardTape#NONE} except in training
 */
public record EvaluationContext(
    ParameterValues values,
    Condition condition,
    Dropout dropout,
    GradientEstimator estimator,
    BackwardTape tape) {
  /** An evaluation without gradients. */
  public EvaluationContext(ParameterValues values, Condition condition) {
    this(values, condition, Dropout.NONE, GradientEstimator.NONE);
  }

  /** An evaluation whose gradients are all libtorch's. */
  public EvaluationContext(
      ParameterValues values, Condition condition, Dropout dropout, GradientEstimator estimator) {
    this(values, condition, dropout, estimator, BackwardTape.NONE);
  }

  /** The tensor of a parameter; borrowed. */
  public Tensor get(Parameter parameter) {
    return values.get(parameter);
  }

  /** The tensor of a buffer; borrowed. */
  public Tensor get(Buffer buffer) {
    return values.get(buffer);
  }

  /** The tensor of a statistic; borrowed. */
  public Tensor get(Statistic statistic) {
    return values.get(statistic);
  }

  /**
   * Whether rows are learned from. They may be among those that statistics were counted in, which
   * must then leave out what they are to predict.
   */
  public boolean isTraining() {
    return estimator != GradientEstimator.NONE;
  }

  /** A tensor that follows from parameters and buffers alone; borrowed. */
  public Tensor derived(Object key, Supplier<Tensor> maker) {
    return values.derived(key, maker);
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
