package io.ringflow.spi;

import io.ringflow.core.Device;
import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Stands for a tensor of integers that is counted in data: not trained, like a {@link Parameter},
 * and no matter of the architecture alone, like a {@link Buffer}. It is stored with the model, and
 * the same in every precision.
 *
 * <p>All zeros until {@link Counts} write to it. Compared by identity, like {@link Parameter}.
 */
public final class Statistic {
  private final ScalarType type;
  private final long[] shape;

  private Statistic(ScalarType type, long... shape) {
    this.type = type;
    this.shape = shape.clone();
  }

  /** Integers of 16 bits. */
  public static Statistic shorts(long... shape) {
    return new Statistic(ScalarType.Short, shape);
  }

  /** Integers of 64 bits. */
  public static Statistic longs(long... shape) {
    return new Statistic(ScalarType.Long, shape);
  }

  /** Whether the integers have 64 bits, else 16. */
  public boolean isLong() {
    return type == ScalarType.Long;
  }

  /** The shape; a copy. */
  public long[] shape() {
    return shape.clone();
  }

  /** The number of elements. */
  public long elements() {
    return Arrays.stream(shape).reduce(1, Math::multiplyExact);
  }

  /** How much memory it takes. */
  public long bytes() {
    return Math.multiplyExact(elements(), isLong() ? Long.BYTES : Short.BYTES);
  }

  /** A tensor to count in, in the caller's scope. */
  public Tensor zeros(Device device) {
    TensorOptions options =
        new TensorOptions(type)
            .device(new org.bytedeco.pytorch.DeviceOptional(Tensors.handle(device)));
    return torch.zeros(shape, options);
  }

  @Override
  public String toString() {
    return "Statistic" + Arrays.toString(shape);
  }
}
