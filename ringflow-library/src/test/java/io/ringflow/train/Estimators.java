package io.ringflow.train;

import io.ringflow.model.FlowModel;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Dropout;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterValues;
import io.ringflow.spi.Symbols;
import io.ringflow.testing.Models;
import org.bytedeco.pytorch.Tensor;

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
        values,
        condition,
        dropout,
        new StraightThrough(Temperature.tempered(temperature), Integer.MAX_VALUE));
  }

  /** Log-probabilities {@code [B]} with the gradient of layer-wise cross-entropy. */
  public static Tensor crossEntropy(FlowModel model, Tensor ids, EvaluationContext context) {
    var estimator = new LayerwiseCrossEntropy();
    EvaluationContext own =
        new EvaluationContext(context.values(), context.condition(), context.dropout(), estimator);
    Symbols base = Models.layers(model).inverse(estimator.data(ids), own);
    return estimator.withGradient(Models.base(model).logProb(base, own));
  }
}
