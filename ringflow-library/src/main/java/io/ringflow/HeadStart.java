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
  private final double[] values;
  private final Constant added; // [width]

  /**
   * A head start.
   *
   * @param advantage in nats; 0 for none
   * @param width number of logits
   * @param favoured which of them have it
   */
  HeadStart(double advantage, int width, int... favoured) {
    values = new double[width];
    for (int index : favoured) {
      values[index] = advantage;
    }
    this.advantage = advantage;
    this.added = Constant.reals(values, width);
  }

  /** Checks an advantage that a caller chose. */
  static void check(String name, double advantage) {
    if (!(advantage >= 0 && advantage < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          name + " must be finite and not negative, but is " + advantage);
    }
  }

  @Override
  public void declare(Declarations declarations) {
    declarations.constant(added);
  }

  /** What one logit has. */
  double of(int index) {
    return values[index];
  }

  /** Logits {@code [..., width]} with the advantage. */
  Tensor on(Tensor logits, Pass pass) {
    return advantage == 0 ? logits : logits.add(pass.get(added));
  }
}
