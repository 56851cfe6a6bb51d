package io.ringflow.train;

import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Tensor;

/** Remembers the weights that scored best on the validation rows. */
final class BestWeights {
  private final Weights weights;
  private final TensorOwner owner;
  private Tensor values; // null until the first evaluation
  private double loss = Double.POSITIVE_INFINITY;
  private long evaluatedAt = -1;
  private int evaluationsSince;

  BestWeights(Weights weights, TensorOwner owner) {
    this.weights = weights;
    this.owner = owner;
  }

  /**
   * Takes a copy of the weights if they are the best so far. What is offered at one step is one
   * evaluation, be it the last weights alone or their average as well.
   */
  boolean offer(long step, double newLoss) {
    if (step > evaluatedAt) {
      evaluatedAt = step;
      evaluationsSince++;
    }
    if (!(newLoss < loss)) {
      return false;
    }
    loss = newLoss;
    evaluationsSince = 0;
    try (Scope scope = Scope.inference()) {
      values().copy_(weights.values());
    }
    return true;
  }

  /** Puts the remembered weights back into the model, if there are any. */
  void restore() {
    if (values != null) {
      try (Scope scope = Scope.inference()) {
        weights.values().copy_(values);
      }
    }
  }

  /** Resumes from a checkpoint; its weights, if it has any, are put into {@link #values()}. */
  void resume(double bestLoss, long lastEvaluation, int since) {
    loss = bestLoss;
    evaluatedAt = lastEvaluation;
    evaluationsSince = since;
  }

  /** The remembered weights; borrowed. */
  Tensor values() {
    if (values == null) {
      try (Scope scope = Scope.inference()) {
        values = owner.keep(Tensors.zeros(weights.values(), weights.values().numel()));
      }
    }
    return values;
  }

  boolean found() {
    return values != null;
  }

  double loss() {
    return loss;
  }

  long evaluatedAt() {
    return evaluatedAt;
  }

  int evaluationsSince() {
    return evaluationsSince;
  }
}
