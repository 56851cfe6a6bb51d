package io.ringflow.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Transformer;
import io.ringflow.testing.Toys;
import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Trains, scores, samples, saves and loads for a while; memory must not grow.
 *
 * <p>A few seconds of counting native objects as it stands; {@code -Dtest=SoakTest
 * -Dringflow.soak.seconds=300} for the real thing, resident memory included.
 */
@Tag("slow")
final class SoakTest {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final double SECONDS =
      Double.parseDouble(System.getProperty("ringflow.soak.seconds", "4"));

  /**
   * In a few seconds, and after other tests in the same process, the Java heap still finds its
   * size.
   */
  private static final double LONG_ENOUGH = 60;

  /** What the allocator and the compiler may still take after the warm-up. */
  private static final double ALLOWED_MEGABYTES = 48;

  @TempDir Path folder;

  @Test
  void nativeMemoryStaysFlat() throws IOException {
    Assumptions.assumeTrue(Files.exists(STATUS), "needs /proc");
    Architecture architecture =
        Architecture.of(Space.uniform(8, 11), new FactorizedBase())
            .with(
                new Autoregressive(
                    Order.natural(8), new Transformer(32, 2, 4, 64), new ShiftScale()))
            .with(new Bipartite(Mask.even(8), new Transformer(32, 1, 4, 64), new Shift()));
    long began = System.nanoTime();
    // A third is warm-up: caches fill, the compiler works, the heap finds its size.
    int rounds = cycle(architecture, began, SECONDS / 3);
    long objects = Pointer.totalCount();
    double before = residentMegabytes();
    rounds += cycle(architecture, began, SECONDS);
    double after = residentMegabytes();
    System.out.printf(
        "soak: %.0f s, %d rounds, resident %.1f MB after warm-up, %.1f MB at the end%n",
        SECONDS, rounds, before, after);
    assertThat(Pointer.totalCount()).isEqualTo(objects);
    if (SECONDS >= LONG_ENOUGH) {
      assertThat(after).isLessThan(before + ALLOWED_MEGABYTES);
    }
  }

  private int cycle(Architecture architecture, long began, double untilSeconds) throws IOException {
    int[][] rows = Toys.rows(architecture.space(), 256, 1);
    TrainingOptions options =
        TrainingOptions.builder(20)
            .logEvery(5)
            .evaluateEvery(10)
            .checkpointEvery(10)
            .timeBudget(Duration.ofSeconds(20))
            .build();
    int rounds = 0;
    do {
      Path checkpoint = folder.resolve("checkpoint-" + rounds % 2);
      delete(checkpoint);
      try (FlowModel model = FlowModel.create(architecture, rounds)) {
        new Trainer(model, options)
            .validation(rows)
            .checkpoints(checkpoint)
            .train(Batches.shuffled(rows, 64, rounds));
        model.save(folder.resolve("model"));
      }
      try (FlowModel model = FlowModel.load(folder.resolve("model"))) {
        assertThat(model.logProb(model.sample(64, rounds))).hasSize(64);
      }
      rounds++;
    } while ((System.nanoTime() - began) * 1e-9 < untilSeconds);
    return rounds;
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (var files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static double residentMegabytes() throws IOException {
    return Files.readAllLines(STATUS).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToDouble(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024.0)
        .findFirst()
        .orElseThrow();
  }
}
