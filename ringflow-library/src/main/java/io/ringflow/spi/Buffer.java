package io.ringflow.spi;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Stands for a fixed tensor that follows from the architecture: a mask, a table of inverses, an
 * index. {@link ParameterValues} have the tensor.
 *
 * <p>Compared by identity, like {@link Parameter}.
 */
public final class Buffer {
  @FunctionalInterface
  private interface Maker {
    Tensor make(Precision precision, Device device);
  }

  private final Maker maker;

  private Buffer(Maker maker) {
    this.maker = maker;
  }

  /** Integers. */
  public static Buffer longs(long[] values, long... shape) {
    long[] copy = values.clone();
    return new Buffer((precision, device) -> Tensors.longs(copy, device, shape));
  }

  /** Integers in one dimension. */
  public static Buffer longs(List<Integer> values) {
    return longs(values.stream().mapToLong(Integer::longValue).toArray(), values.size());
  }

  /** Real numbers, in the precision of the weights. */
  public static Buffer reals(double[] values, long... shape) {
    double[] copy = values.clone();
    return new Buffer((precision, device) -> Tensors.reals(copy, precision, device, shape));
  }

  /**
   * Real numbers, in the precision of the weights, that are computed when a tensor is made: large
   * ones need not be held twice.
   */
  public static Buffer reals(Supplier<double[]> values, long... shape) {
    return new Buffer((precision, device) -> Tensors.reals(values.get(), precision, device, shape));
  }

  /** Truth values. */
  public static Buffer flags(boolean[] values, long... shape) {
    long[] copy = new long[values.length];
    Arrays.setAll(copy, i -> values[i] ? 1 : 0);
    return new Buffer(
        (precision, device) -> Tensors.longs(copy, device, shape).to(ScalarType.Bool));
  }

  /** A new tensor, in the caller's scope. */
  public Tensor make(Precision precision, Device device) {
    return maker.make(precision, device);
  }
}
