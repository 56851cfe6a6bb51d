package io.ringflow.bench;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Tensor;

/** What a device's matrix units can do: the speed of a large square product. */
final class MatrixPeak {
  private static final int WARM_UP = 3;
  private static final int TRIES = 3;

  private MatrixPeak() {}

  /** Multiplications and additions a second, of the fastest try. */
  static double of(Device device, Precision precision) {
    long size = device == Device.CUDA ? 8192 : 1024;
    try (TensorOwner owner = new TensorOwner()) {
      Tensor a = random(device, precision, owner, size);
      Tensor b = random(device, precision, owner, size);
      double best = Double.POSITIVE_INFINITY;
      for (int i = 0; i < TRIES; i++) {
        best = Math.min(best, seconds(device, a, b));
      }
      return 2.0 * size * size * size / best;
    }
  }

  private static Tensor random(Device device, Precision precision, TensorOwner owner, long size) {
    try (Scope scope = Scope.inference()) {
      Tensor like = Tensors.zeros(Precision.FLOAT32, device, 1);
      return owner.keep(Tensors.uniforms(1, like, size, size).to(Tensors.type(precision)));
    }
  }

  private static double seconds(Device device, Tensor a, Tensor b) {
    for (int i = 0; i < WARM_UP; i++) {
      multiply(a, b);
    }
    int repetitions = device == Device.CUDA ? 30 : 5;
    synchronize(device);
    long started = System.nanoTime();
    for (int i = 0; i < repetitions; i++) {
      multiply(a, b);
    }
    synchronize(device);
    return (System.nanoTime() - started) * 1e-9 / repetitions;
  }

  private static void multiply(Tensor a, Tensor b) {
    try (Scope scope = Scope.inference()) {
      a.matmul(b);
    }
  }

  /** Reading a number waits for everything before it. */
  static void synchronize(Device device) {
    try (Scope scope = Scope.inference()) {
      Tensors.scalar(Tensors.zeros(Precision.FLOAT32, device, 1));
    }
  }
}
