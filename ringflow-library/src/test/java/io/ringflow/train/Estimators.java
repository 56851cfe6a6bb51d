package io.ringflow.train;

import io.ringflow.spi.Condition;
import io.ringflow.spi.Dropout;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterValues;

/** Evaluation contexts with the gradient estimators of trainings, for tests. */
public final class Estimators {
  private Estimators() {}

  /** With straight-through gradients. */
  public static EvaluationContext straightThrough(
      ParameterValues values, Condition condition, double temperature) {
    return straightThrough(values, condition, temperature, Dropout.NONE);
  }

  /** With straight-through gradients and dropout. */
  public static EvaluationContext straightThrough(
      ParameterValues values, Condition condition, double temperature, Dropout dropout) {
    return new EvaluationContext(
        values, condition, dropout, new StraightThrough(temperature, Integer.MAX_VALUE));
  }
}
