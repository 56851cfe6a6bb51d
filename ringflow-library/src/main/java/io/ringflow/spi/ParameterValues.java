package io.ringflow.spi;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import java.util.function.Supplier;
import org.bytedeco.pytorch.Tensor;

/**
 * The tensors behind a model's {@link Parameter}s, {@link Buffer}s and {@link Statistic}s; they are
 * borrowed.
 */
public interface ParameterValues {
  /** The tensor of a parameter; writing to it changes the model. */
  Tensor get(Parameter parameter);

  /** The tensor of a buffer. */
  Tensor get(Buffer buffer);

  /** The tensor of a statistic; writing to it changes the model. */
  Tensor get(Statistic statistic);

  /**
   * A tensor that follows from parameters and buffers alone, such as weights in another order. It
   * is made anew each time, unless overridden to keep it until the parameters change.
   *
   * @param key equal keys mean the same tensor
   * @param maker computes it, in the caller's scope
   */
  default Tensor derived(Object key, Supplier<Tensor> maker) {
    return maker.get();
  }

  /** Where the tensors are. */
  Device device();

  /** The floating-point type of the parameters. */
  Precision precision();
}
