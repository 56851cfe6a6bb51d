package io.ringflow.train;

import io.ringflow.core.Precision;
import io.ringflow.internal.engine.Weights;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.Scope;
import java.util.HashMap;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/**
 * The weights a training computes with: the model's own, or a copy of them in bfloat16 that is made
 * anew at every step. Either way the gradients end up in the model's, in float32.
 *
 * <p>One kernel casts all weights and one all gradients, because each lie in one buffer.
 */
final class WorkingWeights implements AutoCloseable {
  private final Weights trained;
  private final Tensor gradients;
  private final Weights copy; // null where the model's own do
  private final Tensor copyGradients;

  WorkingWeights(Weights trained, Precision precision) {
    this.trained = trained;
    this.gradients = trained.trackGradients();
    this.copy = precision == Precision.FLOAT32 ? null : trained.copyIn(precision);
    try (Scope scope = Scope.inference()) {
      gradients.zero_();
      this.copyGradients = copy == null ? null : copy.trackGradients();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** The model's own. */
  Weights trained() {
    return trained;
  }

  /** What gradients are taken of; borrowed. */
  Map<Parameter, Tensor> leaves() {
    Weights computed = copy == null ? trained : copy;
    Map<Parameter, Tensor> leaves = new HashMap<>();
    trained.parameters().values().forEach(one -> leaves.put(one, computed.get(one)));
    return leaves;
  }

  /** As they are now, for one step. */
  Weights current() {
    if (copy == null) {
      return trained;
    }
    copy.copyFrom(trained);
    return copy;
  }

  /**
   * Some of the gradients of the step at hand, once they are complete; borrowed, to be cleared
   * after use.
   *
   * @param from the first of them, in the order of {@link Weights#values()}
   */
  Tensor gradients(long from, long count) {
    Tensor part = gradients.narrow(0, from, count);
    if (copy != null) {
      Tensor computed = copyGradients.narrow(0, from, count);
      part.copy_(computed);
      computed.zero_();
    }
    return part;
  }

  /** All gradients, in float32; borrowed. */
  Tensor gradients() {
    return gradients;
  }

  @Override
  public void close() {
    if (copy != null) {
      copy.close();
    }
  }
}
