package io.ringflow.compress;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.text.TextModel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** One compressor serves several threads. */
final class CompressorThreadsTest {
  @Test
  void severalThreadsAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (TextModel model = Compressors.model("packed", 7)) {
      var compressor = new Compressor(model);
      List<byte[]> files = new ArrayList<>();
      List<Future<byte[]>> restored = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        byte[] file =
            Compressors.text(100 + 13 * i, new SplittableRandom(i))
                .getBytes(StandardCharsets.UTF_8);
        files.add(file);
        restored.add(threads.submit(() -> compressor.decompress(compressor.compress(file))));
      }
      for (int i = 0; i < files.size(); i++) {
        assertThat(restored.get(i).get()).isEqualTo(files.get(i));
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
