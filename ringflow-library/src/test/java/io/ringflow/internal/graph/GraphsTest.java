package io.ringflow.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.ringflow.core.Device;
import io.ringflow.spi.Scope;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

/** Where there are no graphs, plain calls do the work. */
final class GraphsTest {
  @Test
  void aCpuHasNone() {
    assertThat(Graphs.backend(Device.CPU, 0)).isEmpty();
  }

  @Test
  void withoutTheNativesOfCudaThereAreNone() {
    try (Scope scope = Scope.inference()) {
      assumeFalse(torch.hasCUDA());
    }
    assertThat(Graphs.backend(Device.CUDA, 0)).isEmpty();
  }
}
