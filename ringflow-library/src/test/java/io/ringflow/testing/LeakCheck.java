package io.ringflow.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.ShiftScale;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.train.Estimators;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test that leaves native objects behind: whatever it made must be freed by a scope or a
 * {@code close}, and never by the garbage collector.
 */
public final class LeakCheck implements BeforeEachCallback, AfterEachCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(LeakCheck.class);

  static {
    warmUp();
  }

  /** libtorch's classes keep a few objects for good, made when they are first used. */
  private static void warmUp() {
    Architecture small =
        Architecture.of(Space.of(2, 3), new FactorizedBase())
            .with(new Autoregressive(Order.natural(2), new Made(2, 1), new ShiftScale()));
    try (FlowModel model = FlowModel.create(small, 1)) {
      int unused = model.sample(1, 1).length;
      try (Scope scope = Scope.training()) {
        Tensor ids = Tensors.ids(new int[][] {{1, 2}}, 2, model.device());
        Models.weights(model).trackGradients();
        Models.logProb(
                model,
                Symbols.withOneHot(ids, 3),
                Estimators.straightThrough(Models.weights(model), Condition.NONE, 1))
            .sum()
            .backward();
      }
    }
  }

  @Override
  public void beforeEach(ExtensionContext conditions) {
    conditions.getStore(NAMESPACE).put(conditions.getUniqueId(), Pointer.totalCount());
  }

  @Override
  public void afterEach(ExtensionContext conditions) {
    long before = conditions.getStore(NAMESPACE).get(conditions.getUniqueId(), Long.class);
    assertThat(Pointer.totalCount())
        .as("native objects after the test")
        .isLessThanOrEqualTo(before);
  }
}
