package io.ringflow.spi;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import org.bytedeco.pytorch.Tensor;

/** The tensors behind a model's {@link Parameter}s and {@link Buffer}s; they are borrowed. */
public interface ParameterValues {
  /** The tensor of a parameter; writing to it changes the model. */
  Tensor get(Parameter parameter);

  /** The tensor of a buffer. */
  Tensor get(Buffer buffer);

  /** Where the tensors are. */
  Device device();

  /** The floating-point type of the parameters. */
  Precision precision();
}
