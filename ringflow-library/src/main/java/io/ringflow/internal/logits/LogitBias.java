package io.ringflow.internal.logits;

import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import org.bytedeco.pytorch.Tensor;

/**
 * A constant added to some logits, so that an untrained network chooses what they stand for.
 *
 * <p>A constant rather than an initial value of some weight: it works for every network, and no
 * network knows of it.
 */
public final class LogitBias implements Module {
  private final double bias;
  private final double[] values;
  private final Buffer added; // [width]

  /**
   * A bias.
   *
   * @param bias in nats; 0 for none
   * @param width number of logits
   * @param biased the indices of the logits it is added to
   */
  public LogitBias(double bias, int width, int... biased) {
    values = new double[width];
    for (int index : biased) {
      values[index] = bias;
    }
    this.bias = bias;
    this.added = Buffer.reals(values, width);
  }

  /** Checks a bias that a caller chose. */
  public static void check(double logitBias) {
    if (!(logitBias >= 0 && logitBias < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "logitBias must be finite and not negative, but is " + logitBias);
    }
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.buffer(added);
  }

  /** The constant added to one logit. */
  public double of(int index) {
    return values[index];
  }

  /** Logits {@code [..., width]}, or the first ones of these, with the bias added. */
  public Tensor on(Tensor logits, EvaluationContext context) {
    return bias == 0 ? logits : logits.add(context.get(added).narrow(0, 0, logits.size(-1)));
  }
}
