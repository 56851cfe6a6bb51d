package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.internal.engine.Weights;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Dropout;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterValues;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.Zoo;
import java.util.function.Supplier;
import org.bytedeco.pytorch.Tensor;

/** The gradient of a surrogate log-likelihood, with respect to a layer's weights. */
final class SurrogateGradient {
  private SurrogateGradient() {}

  /** An evaluation with an estimator. */
  static EvaluationContext context(ParameterValues values, StepEstimator estimator) {
    return new EvaluationContext(values, Condition.NONE, Dropout.NONE, estimator);
  }

  /** What layers have added to a surrogate log-likelihood, {@code [B]}. */
  static Tensor sum(StepEstimator estimator, long rows) {
    Tensor zeros = Tensors.zeros(Precision.FLOAT64, Device.CPU, rows);
    // Exact zeros with the gradient of the sum: the value itself is read from its parts.
    return estimator.withGradient(zeros);
  }

  /**
   * The gradient of the sum over rows.
   *
   * @param estimator made in the scope of the computation
   */
  static double[] of(
      Bijection bijection, Weights weights, int[][] rows, Supplier<StepEstimator> estimator) {
    try (Scope scope = Scope.training()) {
      Tensor gradients = weights.trackGradients();
      Tensor ids = Tensors.ids(rows, bijection.dataSpace().size(), Device.CPU);
      StepEstimator own = estimator.get();
      Symbols base = bijection.inverse(own.data(ids), context(weights, own));
      assertThat(base.hasOneHot()).isFalse();
      sum(own, rows.length).sum().backward();
      double[] found = Tensors.toDoubles(gradients);
      try (Scope update = Scope.inference()) {
        gradients.zero_();
      }
      return found;
    }
  }

  /** The scrambled weights of a part in float64, to be closed by the caller. */
  static Weights doubles(Module part) {
    try (Weights start = Zoo.wild(part)) {
      return start.copyIn(Precision.FLOAT64);
    }
  }
}
