package io.ringflow.internal.engine;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.core.SamplingOptions;
import io.ringflow.internal.logits.Categorical;
import io.ringflow.spi.Tensors;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;

/**
 * The temperature of samples as an input of their computation, so that what is captured at one
 * serves all. Samples of the model itself have no such input, and no work with it.
 */
public final class Tempering {
  private final double temperature;
  private final boolean changes;

  private Tempering(SamplingOptions options) {
    this.temperature = options.temperature();
    this.changes = options.isTempered();
  }

  /** The temperature of chosen options. */
  public static Tempering of(SamplingOptions options) {
    return new Tempering(options);
  }

  /** The name of the work: what is tempered does more, and has one input more. */
  public String named(String work) {
    return changes ? "tempered " + work : work;
  }

  /** The inputs of the work: the temperature behind its own, where there is one. */
  public List<Tensor> with(List<Tensor> inputs) {
    if (!changes) {
      return inputs;
    }
    double[] value = {temperature};
    Tensor input = Tensors.reals(value, Precision.FLOAT64, Device.CPU, 1);
    return Stream.concat(inputs.stream(), Stream.of(input)).toList();
  }

  /**
   * The conditionals to sample from.
   *
   * @param logProbs the model's own
   * @param inputs as the work has them
   * @param index of the temperature among them, where there is one: how many inputs the work has of
   *     its own
   */
  public Tensor conditionals(Tensor logProbs, List<Tensor> inputs, int index) {
    return changes ? Categorical.tempered(logProbs, inputs.get(index)) : logProbs;
  }
}
