package io.ringflow.spi;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.internal.checks.HostAccess;
import io.ringflow.internal.natives.LocalGpu;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Moves plain Java values in and out of tensors, and names the operations whose binding reads
 * badly.
 *
 * <p>Every returned tensor lives in the caller's scope.
 */
public final class Tensors {
  private Tensors() {}

  /** The element type that libtorch has for a precision. */
  public static ScalarType type(Precision precision) {
    return switch (precision) {
      case BFLOAT16 -> ScalarType.BFloat16;
      case FLOAT32 -> ScalarType.Float;
      case FLOAT64 -> ScalarType.Double;
    };
  }

  /** The device as libtorch names it; lives in the caller's scope. */
  public static org.bytedeco.pytorch.Device handle(Device device) {
    return new org.bytedeco.pytorch.Device(
        device == Device.CPU
            ? "cpu"
            : "cuda:" + LocalGpu.index(System.getenv(), torch.cuda_device_count()));
  }

  /**
   * Rows of symbols as a tensor.
   *
   * @param rows all of length {@code columns}
   * @return int64 {@code [rows, columns]} on the device
   */
  public static Tensor ids(int[][] rows, int columns, Device device) {
    long[] flat = new long[Math.multiplyExact(rows.length, columns)];
    int next = 0;
    for (int[] row : rows) {
      for (int symbol : row) {
        flat[next++] = symbol;
      }
    }
    return longs(flat, device, rows.length, columns);
  }

  /**
   * Uniform random numbers in {@code [0, 1)} that follow from a seed and their place alone, on
   * whatever device.
   *
   * @return float32 of the given shape, on the device of {@code like}
   */
  public static Tensor uniforms(long seed, Tensor like, long... shape) {
    return uniforms(range(elements(shape), like).add(new Scalar(seed)), shape);
  }

  /**
   * The same, with a seed that is known on the device alone.
   *
   * @param seed int64, a single element, on the device
   * @param offset added to the seed
   */
  public static Tensor uniforms(Tensor seed, long offset, long... shape) {
    return uniforms(range(elements(shape), seed).add(seed).add(new Scalar(offset)), shape);
  }

  private static long elements(long... shape) {
    long count = 1;
    for (long size : shape) {
      count *= size;
    }
    return count;
  }

  private static Tensor uniforms(Tensor counter, long... shape) {
    // Two rounds of MurmurHash3's finalizer over a counter; 64-bit products wrap alike everywhere.
    Tensor x = counter.mul(new Scalar(0xFF51AFD7ED558CCDL));
    x = x.bitwise_xor(logicalShift(x, 33)).mul(new Scalar(0xC4CEB9FE1A85EC53L));
    x = x.bitwise_xor(logicalShift(x, 33));
    Tensor top = logicalShift(x, 40); // 24 bits, as many as a float holds
    return top.to(ScalarType.Float).mul(new Scalar(0x1p-24)).view(shape);
  }

  /** Zeros come in from the left, where libtorch would repeat the sign. */
  private static Tensor logicalShift(Tensor x, int bits) {
    return x.bitwise_right_shift(new Scalar((long) bits))
        .bitwise_and(new Scalar((1L << (64 - bits)) - 1));
  }

  /** Rows of symbols out of an int64 tensor {@code [rows, columns]}. */
  public static int[][] toRows(Tensor ids) {
    int rows = Math.toIntExact(ids.size(0));
    int columns = Math.toIntExact(ids.size(1));
    long[] flat = new long[rows * columns];
    HostAccess.check();
    if (flat.length > 0) {
      try (LongPointer data = ids.cpu().contiguous().data_ptr_long()) {
        data.get(flat);
      }
    }
    int[][] result = new int[rows][columns];
    for (int i = 0; i < flat.length; i++) {
      result[i / columns][i % columns] = Math.toIntExact(flat[i]);
    }
    return result;
  }

  /** All elements of a tensor, row by row, as doubles. */
  public static double[] toDoubles(Tensor values) {
    double[] flat = new double[Math.toIntExact(values.numel())];
    HostAccess.check();
    if (flat.length > 0) {
      Tensor plain = values.detach().cpu().to(ScalarType.Double).contiguous();
      try (DoublePointer data = plain.data_ptr_double()) {
        data.get(flat);
      }
    }
    return flat;
  }

  /** An int64 tensor of the given shape on the device. */
  public static Tensor longs(long[] values, Device device, long... shape) {
    return onto(values.length == 0 ? emptyLongs(shape) : Tensor.create(values, shape), device);
  }

  /** A floating-point tensor of the given shape on the device. */
  public static Tensor reals(double[] values, Precision precision, Device device, long... shape) {
    Tensor plain =
        values.length == 0
            ? torch.zeros(shape)
            : Tensor.create(values, shape); // double until converted
    return onto(plain.to(type(precision)), device);
  }

  private static Tensor emptyLongs(long... shape) {
    return torch.zeros(shape).to(ScalarType.Long);
  }

  /** A host's tensor on a device; the same one where that is the host. */
  public static Tensor onto(Tensor tensor, Device device) {
    HostAccess.check();
    if (device == Device.CPU) {
      return tensor;
    }
    // Out of pinned memory the copy waits in the device's queue, and we need not wait for it.
    return tensor
        .pin_memory()
        .to(handle(device), tensor.scalar_type(), true, false, new MemoryFormatOptional());
  }

  /** A tensor of zeros of the same type and device as another. */
  public static Tensor zeros(Tensor like, long... shape) {
    return torch.zeros(shape, like.options());
  }

  /** A tensor of zeros. */
  public static Tensor zeros(Precision precision, Device device, long... shape) {
    TensorOptions options =
        new TensorOptions(type(precision))
            .device(new org.bytedeco.pytorch.DeviceOptional(handle(device)));
    return torch.zeros(shape, options);
  }

  /** {@code 0 … n-1} as int64 on the device of another tensor. */
  public static Tensor range(long n, Tensor like) {
    return torch.arange(
        new Scalar(n), like.options().dtype(new ScalarTypeOptional(ScalarType.Long)));
  }

  /**
   * Index of the largest element along the last dimension; the lowest one where several are equal.
   */
  public static Tensor argmax(Tensor values) {
    return values.argmax(new LongOptional(-1), false);
  }

  /**
   * The indices along the last dimension from the largest element to the smallest; of equal ones,
   * the lowest first.
   */
  public static Tensor descending(Tensor values) {
    // Sorting by bits would tell -0 from 0, which comparisons do not: 0 is added.
    return torch.argsort(values.add(new Scalar(0.0)), true, -1, true);
  }

  /** The one-hot rows of ids: {@code [..., width]}, of the given floating-point type. */
  public static Tensor oneHot(Tensor ids, long width, ScalarType type) {
    long[] shape = new long[(int) ids.dim() + 1];
    for (int i = 0; i < shape.length - 1; i++) {
      shape[i] = ids.size(i);
    }
    shape[shape.length - 1] = width;
    return torch
        .zeros(shape, ids.options().dtype(new ScalarTypeOptional(type)))
        .scatter_(-1, ids.unsqueeze(-1), new Scalar(1.0));
  }

  /**
   * A tensor of exact zeros that has the gradient of {@code carrier}: the straight-through device.
   * Adding it to a hard value leaves every bit of the value and sends its gradient into the
   * carrier.
   */
  public static Tensor gradientOnly(Tensor carrier) {
    return carrier.sub(carrier.detach());
  }

  /** The same values in at least float32. */
  public static Tensor widened(Tensor values) {
    return isHalf(values) ? values.to(ScalarType.Float) : values;
  }

  /** Whether operations on parameters are recorded for a backward pass on this thread. */
  public static boolean recordsGradients() {
    return GradMode.is_enabled();
  }

  /** Concatenates along a dimension. */
  public static Tensor cat(long dimension, Tensor... parts) {
    return torch.cat(new TensorVector(parts), dimension);
  }

  /** {@code x W^T + b} over the last dimension. */
  public static Tensor linear(Tensor x, Tensor weight, Tensor bias) {
    if (x.is_cuda() && isDouble(x) && !recordsGradients()) {
      // In float64 cuBLAS has no product that adds a bias: libtorch's takes twice as long as both.
      return x.matmul(weight.t()).add_(bias);
    }
    return torch.linear(x, weight, new TensorOptional(bias));
  }

  /** Vectors of mean 0 and variance 1 along the last dimension. */
  public static Tensor normalized(Tensor x) {
    return torch.layer_norm(
        x, new long[] {x.size(-1)}, new TensorOptional(), new TensorOptional(), 1e-5, true);
  }

  /**
   * A tensor in bfloat16 with zeros behind its last entries along a dimension, up to a multiple of
   * eight: matrix units take no other sizes at full speed. In other precisions it stays as it is.
   *
   * @param fromLast 0 for the last dimension, 1 for the one before it
   */
  public static Tensor paddedForMatrixUnits(Tensor x, int fromLast) {
    long surplus = Math.floorMod(-x.size(-1 - fromLast), 8L);
    if (surplus == 0 || !isHalf(x)) {
      return x;
    }
    long[] padding = new long[2 * (fromLast + 1)];
    padding[2 * fromLast + 1] = surplus;
    return torch.constant_pad_nd(x, padding);
  }

  private static boolean isDouble(Tensor x) {
    return x.scalar_type().intern() == ScalarType.Double;
  }

  private static boolean isHalf(Tensor x) {
    return x.scalar_type().intern() == ScalarType.BFloat16;
  }

  /** The single element of a tensor; waits for the device. */
  public static double scalar(Tensor tensor) {
    HostAccess.check();
    return tensor.item_double();
  }
}
