package io.ringflow;

import org.bytedeco.pytorch.Tensor;

/**
 * An advantage of some logits over the others, so that an untrained network chooses what they stand
 * for.
 *
 * <p>A constant rather than a start value: every network has it, and none need know of it.
 */
final class HeadStart implements Parametric {
  private final double advantage;
  private final Constant added; // [width]

  /**
   * A head start.
   *
   * @param advantage in nats; 0 for none
   * @param width number of logits
   * @param favoured which of them have it
   */
  HeadStart(double advantage, int width, int... favoured) {
    double[] values = new double[width];
    for (int index : favoured) {
      values[index] = advantage;
    }
    this.advantage = advantage;
    this.added = Constant.reals(values, width);
  }

  /** Checks an advantage that a caller chose. */
  static void check(double identity) {
    if (!(identity >= 0 && identity < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "identity must be finite and not negative, but is " + identity);
    }
  }

  @Override
  public void declare(Declarations declarations) {
    declarations.constant(added);
  }

  /** Logits {@code [B, n, width]} with the advantage. */
  Tensor on(Tensor logits, Pass pass) {
    return advantage == 0 ? logits : logits.add(pass.get(added));
  }
}
