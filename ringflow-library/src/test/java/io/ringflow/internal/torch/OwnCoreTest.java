package io.ringflow.internal.torch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

final class OwnCoreTest {
  private static int threads(Runnable before) throws Exception {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      Future<Integer> count =
          pool.submit(
              () -> {
                before.run();
                return torch.get_num_threads();
              });
      return count.get();
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void othersKeepTheirs() throws Exception {
    int before = torch.get_num_threads();
    torch.set_num_threads(3);
    try {
      assertThat(threads(OwnCore::take)).isEqualTo(1);
      assertThat(torch.get_num_threads()).as("this thread").isEqualTo(3);
      assertThat(threads(() -> {})).as("one that begins later").isEqualTo(3);
    } finally {
      torch.set_num_threads(before);
    }
  }
}
