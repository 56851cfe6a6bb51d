package io.ringflow.internal.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.Device;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

final class ComputeThreadsTest {
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  /** What libtorch uses in a thread that takes its share. */
  private static int threads(int sharers) throws Exception {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      Future<Integer> count =
          pool.submit(
              () -> {
                ComputeThreads.share(Device.CPU, sharers);
                return torch.get_num_threads();
              });
      return count.get();
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void eachThreadGetsItsShareAndOthersKeepTheirs() throws Exception {
    torch.set_num_threads(CORES);
    // Only a thread that has computed, or asked, is past taking over what another has set.
    assertThat(torch.get_num_threads()).isEqualTo(CORES);
    try {
      assertThat(threads(CORES)).isEqualTo(1);
      assertThat(threads(CORES + 1)).as("never none").isEqualTo(1);
      assertThat(torch.get_num_threads()).as("this thread shares nothing").isEqualTo(CORES);
    } finally {
      ComputeThreads.release(Device.CPU, CORES + 1);
    }
    assertThat(threads(1)).as("a thread alone, afterwards").isEqualTo(CORES);
  }

  @Test
  void nobodyIsNoSharer() {
    assertThatThrownBy(() -> ComputeThreads.share(Device.CPU, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sharers must be at least 1, but is 0");
  }
}
