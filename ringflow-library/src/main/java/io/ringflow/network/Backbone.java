package io.ringflow.network;

import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import org.bytedeco.pytorch.Tensor;

/** The body of a sequence network: from a vector at each position to a vector at each position. */
interface Backbone extends Module {
  /** Width of the resulting vectors. */
  int hidden();

  /** All positions at once: {@code [B, D, E]} to {@code [B, D, hidden]}. */
  Tensor apply(Tensor vectors, EvaluationContext context);

  /**
   * Begins a run from left to right; only a causal trunk can. The stepper lives in the caller's
   * scope.
   */
  Stepper stepper(long batch, EvaluationContext context);

  /** A trunk at work, one position after the other. */
  @FunctionalInterface
  interface Stepper {
    /** Reads one more vector: {@code [B, E]} to {@code [B, hidden]}. */
    Tensor next(Tensor vector);
  }
}
