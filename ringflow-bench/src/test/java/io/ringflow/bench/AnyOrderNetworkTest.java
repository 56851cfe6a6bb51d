package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Space;
import io.ringflow.train.TrainingListener;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class AnyOrderNetworkTest {
  /**
   * A free bit and two copies of it: nobody can do with less than a bit, and apart they are three.
   */
  @Test
  void learnsEveryDirection() throws IOException {
    int[][] rows = new int[512][];
    Arrays.setAll(rows, i -> new int[] {i % 2, i % 2, i % 2});
    try (AnyOrderNetwork network =
        AnyOrderNetwork.train(
            Space.uniform(3, 2),
            rows,
            Arrays.copyOf(rows, 256),
            Duration.ofSeconds(4),
            new TrainingListener() {})) {
      assertThat(network.meanLogProb(rows, 40)).isBetween(-2.2 * Math.log(2), -0.95 * Math.log(2));
    }
  }
}
