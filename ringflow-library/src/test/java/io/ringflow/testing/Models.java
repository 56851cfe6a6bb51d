package io.ringflow.testing;

import io.ringflow.internal.engine.Engine;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.Weights;
import io.ringflow.model.FlowModel;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Tensor;

/** What tests see of a model that its users do not. */
public final class Models {
  private Models() {}

  public static Engine engine(FlowModel model) {
    return EngineAccess.of(model);
  }

  public static Weights weights(FlowModel model) {
    return engine(model).weights();
  }

  public static Bijection layers(FlowModel model) {
    return engine(model).layers();
  }

  public static Distribution base(FlowModel model) {
    return engine(model).base();
  }

  /** Log-probabilities {@code [B]} of symbols, in the caller's scope. */
  public static Tensor logProb(FlowModel model, Symbols data, EvaluationContext context) {
    return base(model).logProb(layers(model).inverse(data, context), context);
  }
}
