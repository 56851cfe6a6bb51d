package io.ringflow.spi;

import org.bytedeco.pytorch.Tensor;

/**
 * Weighs rows on tensors: the faster form of a target that is known up to a constant.
 *
 * <p>A {@code Target} of {@code io.ringflow.infer} that implements this too is asked by tensors
 * wherever the model is on a GPU, so that neither learning nor weighing samples waits for Java; on
 * the CPU it is asked by its plain form. Both must agree.
 */
@FunctionalInterface
public interface TensorTarget {
  /**
   * The natural logarithm of each row's weight; minus infinity for an impossible row.
   *
   * @param rows int64 {@code [rows, positions]}, on any device
   * @return floating-point numbers {@code [rows]} on the same device, in the caller's scope;
   *     float64 where sums are long
   */
  Tensor logWeights(Tensor rows);
}
