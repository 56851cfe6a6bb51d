package io.ringflow.internal.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

final class CudaKernelsTest {
  /** What is logged. */
  private static final class Messages extends Handler {
    final List<String> all = new ArrayList<>();

    @Override
    public void publish(LogRecord message) {
      all.add(message.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** As on a machine without CUDA's compiler: nothing can be compiled for a CPU. */
  @Test
  void saysOnceThatNothingCanBeCompiled() {
    CudaKernels kernels = new CudaKernels();
    Messages messages = new Messages();
    Logger logger = Logger.getLogger("io.ringflow");
    logger.addHandler(messages);
    logger.setUseParentHandlers(false);
    try (Scope scope = Scope.inference()) {
      assertThat(fits(kernels, Precision.FLOAT64, 64, 64)).isFalse();
      assertThat(fits(kernels, Precision.FLOAT32, 60, 64)).isFalse();
      assertThat(fits(kernels, Precision.FLOAT32, 64, 60)).isFalse();
      assertThat(fits(kernels, Precision.FLOAT32, 8192, 64)).isFalse();
      assertThat(messages.all).isEmpty();
      assertThat(fits(kernels, Precision.FLOAT32, 64, 64)).isFalse();
      assertThat(fits(kernels, Precision.FLOAT32, 128, 64)).isFalse();
      assertThat(fits(kernels, Precision.BFLOAT16, 64, 64)).isFalse();
      assertThat(messages.all).singleElement().asString().contains("NVRTC");
    } finally {
      logger.removeHandler(messages);
      logger.setUseParentHandlers(true);
    }
  }

  private static boolean fits(CudaKernels kernels, Precision precision, int width, int filter) {
    return kernels.fit(Tensors.zeros(precision, Device.CPU, 2, 3, width), filter);
  }
}
