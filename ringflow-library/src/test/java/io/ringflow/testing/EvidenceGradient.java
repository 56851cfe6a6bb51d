package io.ringflow.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.internal.engine.Weights;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Condition;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.function.Supplier;
import org.bytedeco.pytorch.Tensor;

/** The gradient of what a layer says about symbols, with respect to its weights. */
public final class EvidenceGradient {
  private EvidenceGradient() {}

  /**
   * The gradient of the sum over rows.
   *
   * @param targets made in the scope of the computation; gives null to classify
   */
  public static double[] of(
      Bijection bijection, Weights weights, int[][] rows, Supplier<Tensor> targets) {
    try (Scope scope = Scope.training()) {
      Tensor gradients = weights.trackGradients();
      Tensor ids = Tensors.ids(rows, bijection.dataSpace().size(), Device.CPU);
      Symbols data = Symbols.withEvidence(ids, targets.get());
      Symbols base = bijection.inverse(data, new EvaluationContext(weights, Condition.NONE));
      assertThat(base.carriesGradient()).isFalse();
      base.evidence().logLikelihood().sum().backward();
      double[] found = Tensors.toDoubles(gradients);
      try (Scope update = Scope.inference()) {
        gradients.zero_();
      }
      return found;
    }
  }

  /** The scrambled weights of a part in 64 bits, to be closed by the caller. */
  public static Weights doubles(Module part) {
    try (Weights start = Zoo.wild(part)) {
      return start.copyIn(Precision.FLOAT64);
    }
  }
}
