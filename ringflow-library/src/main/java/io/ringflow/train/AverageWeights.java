package io.ringflow.train;

import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * An exponential moving average of the weights that training passes through; see {@link
 * TrainingOptions.Builder#averageWeights}. With decay 0 there is none, and nothing is computed.
 *
 * <p>All weights lie in one buffer, so an update is one call, queued behind the step whether that
 * was captured or not. Processes of a group have the same weights and hence the same average.
 */
final class AverageWeights {
  /** A ninth of the steps so far count, until the decay lets fewer do so. */
  private static final double STEPS_A_WINDOW = 9;

  private final Weights weights;
  private final double decay;
  private final TensorOwner owner;
  private Tensor values; // null until the first step

  /**
   * No average yet.
   *
   * @param weights borrowed
   * @param decay 0 for no average at all
   * @param owner of what this keeps
   */
  AverageWeights(Weights weights, double decay, TensorOwner owner) {
    this.weights = weights;
    this.decay = decay;
    this.owner = owner;
  }

  /** Whether there is to be one. */
  boolean isWanted() {
    return decay > 0;
  }

  /**
   * Takes in the weights that a step led to.
   *
   * @param step how many were done before it
   */
  void update(long step) {
    if (isWanted()) {
      // The first step's weights replace whatever is there: nothing remembers the initial ones.
      double kept = Math.min(decay, step / (step + STEPS_A_WINDOW));
      try (Scope scope = Scope.inference()) {
        values().lerp_(weights.values(), new Scalar(1 - kept));
      }
    }
  }

  /** Whether a step was averaged. */
  boolean found() {
    return values != null;
  }

  /** The average, to which a checkpoint's is copied; borrowed. */
  Tensor values() {
    if (values == null) {
      try (Scope scope = Scope.inference()) {
        values = owner.keep(Tensors.zeros(weights.values(), weights.values().numel()));
      }
    }
    return values;
  }

  /** Makes the average the model's weights for good, if there is one. */
  void restore() {
    if (found()) {
      try (Scope scope = Scope.inference()) {
        weights.values().copy_(values);
      }
    }
  }

  /** Works with a model whose weights are the average for as long; there must be one. */
  void lend(Runnable work) {
    try (Loan loan = new Loan()) {
      work.run();
    }
  }

  /** Puts the weights back that training goes on with, bit by bit. */
  private final class Loan implements AutoCloseable {
    private final TensorOwner trained = new TensorOwner();
    private final Tensor last;

    private Loan() {
      try (Scope scope = Scope.inference()) {
        last = trained.keep(weights.values().clone());
        restore();
      } catch (RuntimeException | Error e) {
        trained.close();
        throw e;
      }
    }

    @Override
    public void close() {
      try (trained;
          Scope scope = Scope.inference()) {
        weights.values().copy_(last);
      }
    }
  }
}
