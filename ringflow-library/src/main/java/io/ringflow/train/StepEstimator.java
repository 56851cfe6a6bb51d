package io.ringflow.train;

import io.ringflow.spi.GradientEstimator;
import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Tensor;

/** A gradient estimator of one training step; it lives in the scope of the step. */
interface StepEstimator extends GradientEstimator {
  /** The data of the step, int64 {@code [B, D]}, as it enters the layers. */
  Symbols data(Tensor ids);

  /**
   * The log-probabilities {@code [B]} of the step with the gradient that this estimator has for the
   * layers; their value stays the same.
   */
  Tensor withGradient(Tensor logProb);
}
