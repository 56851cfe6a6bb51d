package io.ringflow.bench;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.spi.Tensors;
import java.util.concurrent.TimeUnit;
import org.bytedeco.pytorch.Tensor;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The measure of the machine: a product of two 1024 x 1024 matrices in float32. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class MatrixBenchmark {
  /** Multiplications and additions of one product. */
  static final double OPERATIONS = 2.0 * 1024 * 1024 * 1024;

  private Tensor matrix;

  /** Makes the matrix. */
  @Setup(Level.Trial)
  public void open() {
    try (var scope = io.ringflow.spi.Scope.inference()) {
      matrix = Tensors.zeros(Precision.FLOAT32, Device.CPU, 1024, 1024).uniform_();
      matrix.retainReference();
    }
  }

  /** Frees it. */
  @TearDown(Level.Trial)
  public void close() {
    matrix.releaseReference();
  }

  /** One product. */
  @Benchmark
  public long product() {
    try (var scope = io.ringflow.spi.Scope.inference()) {
      return matrix.matmul(matrix).numel();
    }
  }
}
