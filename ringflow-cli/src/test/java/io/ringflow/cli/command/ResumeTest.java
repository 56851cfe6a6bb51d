package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ringflow.cli.Main;
import io.ringflow.cli.testing.StepCountingExperiment;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.ResultsFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs that are stopped and taken up again, and runs side by side. */
@Tag("slow")
final class ResumeTest {
  @TempDir Path folder;

  private final StringWriter err = new StringWriter();

  private int execute(List<Experiment> experiments, String... args) {
    err.getBuffer().setLength(0);
    List<String> all = new ArrayList<>(List.of("reproduce", "--device", "cpu", "--seed", "1"));
    all.addAll(Arrays.asList(args));
    return Main.execute(
        experiments,
        new PrintWriter(new StringWriter()),
        new PrintWriter(err),
        all.toArray(new String[0]));
  }

  private Path run(StepCountingExperiment toy, String name, String... args) {
    Path out = folder.resolve(name);
    List<String> all = new ArrayList<>(List.of("toy", "--out", out.toString()));
    all.addAll(Arrays.asList(args));
    assertThat(execute(List.of(toy), all.toArray(new String[0]))).as(err.toString()).isZero();
    return out;
  }

  /** Every figure but the seconds. */
  private static List<String> metrics(Path out) throws IOException {
    return ResultsFile.read(out.resolve("results.json")).stream()
        .map(r -> r.model() + " " + r.seed() + " " + Double.toHexString(r.value()))
        .toList();
  }

  private static List<Double> numbers(JsonNode array) {
    List<Double> numbers = new ArrayList<>();
    array.forEach(number -> numbers.add(number.doubleValue()));
    return numbers;
  }

  private static byte[] weights(Path out, long seed) throws IOException {
    return Files.readAllBytes(
        out.resolve("models").resolve("d-3-k-3-layer-seed-" + seed).resolve("model.safetensors"));
  }

  private static JsonNode curve(Path out, long seed) throws IOException {
    Path file = out.resolve("trials").resolve("d-3-k-3-layer-seed-" + seed + ".json");
    return new ObjectMapper().readTree(file.toFile()).get("curve");
  }

  @Test
  void trialsSideBySideFindWhatTheyFindAlone() throws IOException {
    Path alone = run(new StepCountingExperiment(), "alone", "--jobs", "1");
    Path together = run(new StepCountingExperiment(), "together", "--jobs", "2");

    assertThat(metrics(together)).isEqualTo(metrics(alone)).hasSize(6).doesNotHaveDuplicates();
    for (long seed = 1; seed <= 3; seed++) {
      assertThat(weights(together, seed)).isEqualTo(weights(alone, seed));
      assertThat(curve(together, seed)).isEqualTo(curve(alone, seed));
    }
  }

  @Test
  void anInterruptedRunGoesOnToTheSameBits() throws IOException {
    Path undisturbed = run(new StepCountingExperiment(), "undisturbed", "--jobs", "1");
    StepCountingExperiment toy = new StepCountingExperiment();
    Path out = folder.resolve("stopped out");
    Thread caller = Thread.currentThread();
    toy.during =
        (seed, step) -> {
          if (seed == 2 && step == 70) {
            caller.interrupt();
            while (!Thread.currentThread().isInterrupted()) {
              Thread.onSpinWait();
            }
          }
        };

    int exitCode = execute(List.of(toy), "toy", "--out", out.toString(), "--jobs", "1");

    assertThat(Thread.interrupted()).as("the caller stays interrupted").isTrue();
    assertThat(exitCode).isEqualTo(1);
    assertThat(err.toString().lines().toList())
        .endsWith(
            "ringflow: stopped; continue with: ringflow reproduce --device cpu --seed 1 toy --out '"
                + out
                + "' --jobs 1 --resume");
    assertThat(out.resolve("results.json")).doesNotExist();
    assertThat(toy.steps).containsOnly(Map.entry(1L, 120), Map.entry(2L, 71));

    toy.during = (seed, step) -> {};
    run(toy, "stopped out", "--jobs", "1", "--resume");

    assertThat(toy.steps)
        .as("no step was done twice")
        .containsOnly(Map.entry(1L, 120), Map.entry(2L, 120), Map.entry(3L, 120));
    assertThat(metrics(out)).isEqualTo(metrics(undisturbed));
    for (long seed = 1; seed <= 3; seed++) {
      assertThat(weights(out, seed)).isEqualTo(weights(undisturbed, seed));
    }
    assertThat(curve(out, 3)).isEqualTo(curve(undisturbed, 3));
    assertThat(numbers(curve(undisturbed, 2).get("x")))
        .containsExactly(20., 40., 60., 80., 100., 120.);
    assertThat(numbers(curve(out, 2).get("x")))
        .containsExactly(20., 40., 60., 71., 80., 100., 120.);
    assertThat(numbers(curve(out, 2).get("y")).subList(0, 3))
        .isEqualTo(numbers(curve(undisturbed, 2).get("y")).subList(0, 3));
    assertThat(out.resolve("checkpoints")).doesNotExist();
    assertThat(Files.readString(out.resolve("run.json"))).contains("--device cpu --resume");
  }

  /** All trials are done, and a model is being read: the channel says so in its own words. */
  @Test
  void anInterruptWhileTheOutcomeIsMadeIsNoFailure() throws IOException {
    Path undisturbed = run(new StepCountingExperiment(), "undisturbed", "--seeds", "1");
    StepCountingExperiment toy = new StepCountingExperiment();
    Path out = folder.resolve("stopped");
    toy.beforeOutcome = () -> Thread.currentThread().interrupt();

    int exitCode = execute(List.of(toy), "toy", "--out", out.toString(), "--seeds", "1");

    assertThat(Thread.interrupted()).as("the caller stays interrupted").isTrue();
    assertThat(exitCode).isEqualTo(1);
    assertThat(err.toString().lines().toList())
        .hasSize(2)
        .satisfies(lines -> assertThat(lines.get(0)).contains("seed 1: done after 120 steps"))
        .endsWith(
            "ringflow: stopped; continue with: ringflow reproduce --device cpu --seed 1 toy --out "
                + out
                + " --seeds 1 --resume");
    assertThat(out.resolve("results.json")).doesNotExist();

    toy.beforeOutcome = () -> {};
    toy.steps.clear();
    run(toy, "stopped", "--seeds", "1", "--resume");
    assertThat(toy.steps).as("all was there").isEmpty();
    assertThat(metrics(out)).isEqualTo(metrics(undisturbed));
  }

  @Test
  void interruptsOutsideARunAreOneWord() {
    for (Throwable interrupt :
        List.of(
            new ClosedByInterruptException(),
            new UncheckedIOException(new ClosedByInterruptException()),
            new InterruptedException(),
            new CancellationException("interrupted"))) {
      err.getBuffer().setLength(0);
      assertThat(Failures.report(interrupt, false, new PrintWriter(err))).isEqualTo(1);
      assertThat(err.toString()).isEqualToNormalizingNewlines("ringflow: stopped\n");
    }
  }

  @Test
  void aFailingTrialStopsTheOthersWhoseWorkIsKept() throws IOException {
    StepCountingExperiment toy = new StepCountingExperiment();
    Path out = folder.resolve("failed");
    var waiting = new AtomicBoolean();
    toy.during =
        (seed, step) -> {
          if (seed == 1 && step == 30) {
            while (!waiting.get()) {
              Thread.onSpinWait();
            }
            throw new IllegalStateException("no more rows");
          }
          if (seed == 2 && step == 50) {
            waiting.set(true);
            while (!Thread.currentThread().isInterrupted()) { // until the other has failed
              Thread.onSpinWait();
            }
          }
        };

    assertThat(execute(List.of(toy), "toy", "--out", out.toString(), "--jobs", "2")).isEqualTo(1);
    assertThat(err.toString().lines().toList())
        .hasSize(3)
        .satisfies(lines -> assertThat(lines.get(0)).contains("seed 2: stopped after 51 steps"))
        .endsWith(
            "ringflow: no more rows",
            "ringflow: stopped; continue with: ringflow reproduce --device cpu --seed 1 toy --out "
                + out
                + " --jobs 2 --resume");
    assertThat(toy.steps).doesNotContainKey(3L);

    toy.during = (seed, step) -> {};
    run(toy, "failed", "--resume");
    assertThat(toy.steps).containsEntry(2L, 120).containsEntry(3L, 120);
    assertThat(metrics(out)).isEqualTo(metrics(run(new StepCountingExperiment(), "undisturbed")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CUDA error: an illegal memory access was encountered"
            + "| the GPU failed (CUDA error: an illegal memory access was encountered);"
            + " start again in a new process"
            + "| stopped; the last checkpoints stand; continue with: ",
        "cuDNN error: CUDNN_STATUS_EXECUTION_FAILED"
            + "| the GPU failed (cuDNN error: CUDNN_STATUS_EXECUTION_FAILED);"
            + " start again in a new process"
            + "| stopped; the last checkpoints stand; continue with: ",
        "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 8.00 GiB of which"
            + "| out of GPU memory: 2.00 GiB more do not fit into 8.00 GiB; make batches, rows or the"
            + " model smaller, or use fewer models at a time"
            + "| stopped; fewer --jobs may fit; continue with: ",
        "Found no NVIDIA driver on your system."
            + "| no usable NVIDIA GPU (Found no NVIDIA driver on your system.); mend that, or use"
            + " device cpu"
            + "| stopped; continue with: "
      })
  void aGpuThatFailsIsTwoLinesAndTheCheckpointStands(String said, String failure, String stopped)
      throws IOException {
    StepCountingExperiment toy = new StepCountingExperiment();
    Path out = folder.resolve("gpu");
    toy.during =
        (seed, step) -> {
          if (seed == 2 && step == 70) {
            throw fromNative(said + "\nException raised from here\nframe #0: there");
          }
        };

    assertThat(execute(List.of(toy), "toy", "--out", out.toString(), "--jobs", "1")).isEqualTo(1);

    String continued =
        "ringflow reproduce --device cpu --seed 1 toy --out " + out + " --jobs 1 --resume";
    assertThat(err.toString().lines().toList())
        .hasSize(3)
        .satisfies(lines -> assertThat(lines.get(0)).contains("seed 1: done after 120 steps"))
        .endsWith("ringflow: " + failure, "ringflow: " + stopped.strip() + " " + continued);
    assertThat(out.resolve("trials/d-3-k-3-layer-seed-1.json")).exists();
    assertThat(out.resolve("checkpoints")).isNotEmptyDirectory();

    toy.during = (seed, step) -> {};
    toy.steps.clear();
    run(toy, "gpu", "--jobs", "1", "--resume");
    assertThat(toy.steps)
        .as("only what the checkpoint of step 60 lacks")
        .containsOnly(Map.entry(2L, 60), Map.entry(3L, 120));
    assertThat(metrics(out)).isEqualTo(metrics(run(new StepCountingExperiment(), "undisturbed")));
  }

  /** What the binding throws when libtorch says this. */
  private static RuntimeException fromNative(String message) {
    var thrown = new RuntimeException(message);
    thrown.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("org.bytedeco.pytorch.Tensor", "backward", null, -2)
        });
    return thrown;
  }

  @Test
  void onlyTrialsOfTheSameOptionsAreTaken() throws IOException {
    Path out = run(new StepCountingExperiment(), "run", "--seeds", "1");
    StepCountingExperiment again = new StepCountingExperiment();
    run(again, "run", "--seeds", "1", "--resume");
    assertThat(again.steps).as("all is there").isEmpty();

    run(again, "run", "--seeds", "2", "--resume");
    assertThat(again.steps).as("one seed more").containsOnly(Map.entry(2L, 120));
    assertThat(metrics(out)).hasSize(4);

    StepCountingExperiment faster = new StepCountingExperiment();
    faster.rate = 0.02;
    run(faster, "run", "--seeds", "1", "--resume");
    assertThat(faster.steps).as("another rate").containsOnly(Map.entry(1L, 120));

    run(faster, "run", "--seeds", "1", "--resume", "--quick");
    assertThat(faster.steps).as("figures of a quick run").containsOnly(Map.entry(1L, 240));

    run(faster, "run", "--seeds", "1", "--quick");
    assertThat(faster.steps).as("without --resume").containsOnly(Map.entry(1L, 360));
  }

  @Test
  void aFreshRunForgetsOnlyWhatIsOurs() throws IOException {
    Path out = run(new StepCountingExperiment(), "run", "--seeds", "2");
    Path ours = out.resolve("trials").resolve("d-3-k-3-layer-seed-2.json");
    Path theirs = Files.writeString(out.resolve("trials").resolve("notes.json"), "{\"a\": 1}");
    Path folder = Files.createDirectories(out.resolve("checkpoints").resolve("mine"));
    Path kept = Files.writeString(folder.resolve("config.json"), "{\"format\": \"mine\"}");
    assertThat(ours).exists();

    run(new StepCountingExperiment(), "run", "--seeds", "1");

    assertThat(ours).doesNotExist();
    assertThat(theirs).exists();
    assertThat(kept).exists();
  }
}
