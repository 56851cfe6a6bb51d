package io.ringflow.internal.logits;

import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import org.bytedeco.pytorch.Tensor;

/**
 * An advantage of some logits over the others, so that an untrained network chooses what they stand
 * for.
 *
 * <p>A constant rather than a start value: every network has it, and none need know of it.
 */
public final class LogitBias implements Module {
  private final double advantage;
  private final double[] values;
  private final Buffer added; // [width]

  /**
   * A head start.
   *
   * @param advantage in nats; 0 for none
   * @param width number of logits
   * @param favoured which of them have it
   */
  public LogitBias(double advantage, int width, int... favoured) {
    values = new double[width];
    for (int index : favoured) {
      values[index] = advantage;
    }
    this.advantage = advantage;
    this.added = Buffer.reals(values, width);
  }

  /** Checks an advantage that a caller chose. */
  public static void check(String name, double advantage) {
    if (!(advantage >= 0 && advantage < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          name + " must be finite and not negative, but is " + advantage);
    }
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.constant(added);
  }

  /** What one logit has. */
  public double of(int index) {
    return values[index];
  }

  /** Logits {@code [..., width]} with the advantage. */
  public Tensor on(Tensor logits, EvaluationContext context) {
    return advantage == 0 ? logits : logits.add(context.get(added));
  }
}
