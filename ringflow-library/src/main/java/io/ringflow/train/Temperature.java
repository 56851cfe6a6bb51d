package io.ringflow.train;

import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * The temperature tau of the straight-through gradient over the course of training.
 *
 * <p>High temperatures let the gradient see every possible move; low ones approach the hard choice,
 * whose gradient vanishes. The paper fixes 0.1. Going down from a high start lets a layer find its
 * global arrangement first.
 *
 * @param start at the first step
 * @param end at the last
 */
public record Temperature(double start, double end) {
  /** Checks that both are positive. */
  public Temperature {
    if (!(start > 0) || !(end > 0) || Double.isInfinite(start) || Double.isInfinite(end)) {
      throw new IllegalArgumentException(
          "temperatures must be positive, but are " + start + " and " + end);
    }
  }

  /** The same throughout. */
  public static Temperature constant(double tau) {
    return new Temperature(tau, tau);
  }

  /** From one to the other, by equal factors in equal times. */
  public static Temperature annealed(double start, double end) {
    return new Temperature(start, end);
  }

  /** The temperature at a share of the training between 0 and 1. */
  double at(double share) {
    return start * Math.pow(end / start, share);
  }

  boolean isConstant() {
    return start == end;
  }

  /** Divides logits by a temperature. */
  static UnaryOperator<Tensor> tempered(double temperature) {
    return logits -> temperature == 1 ? logits : logits.div(new Scalar(temperature));
  }
}
