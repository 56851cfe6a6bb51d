package io.ringflow.train;

import io.ringflow.Weights;
import io.ringflow.torch.Precision;
import io.ringflow.torch.Scope;
import org.bytedeco.pytorch.Tensor;

/**
 * The weights a training computes with: the model's own, or a copy of them in 16 bits that is made
 * anew at every step. Either way the gradients end up in the model's, in 32 bits.
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

  /** As they are now, for one step. */
  Weights current() {
    if (copy == null) {
      return trained;
    }
    copy.copyFrom(trained);
    return copy;
  }

  /** The gradients of the step that was just done; borrowed, to be cleared after use. */
  Tensor gradients() {
    if (copy != null) {
      gradients.copy_(copyGradients);
      copyGradients.zero_();
    }
    return gradients;
  }

  @Override
  public void close() {
    if (copy != null) {
      copy.close();
    }
  }
}
