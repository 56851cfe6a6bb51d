package io.ringflow.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.ringflow.cli.testing.PicturesExperiment;
import io.ringflow.cli.testing.TimedDataExperiment;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Trial;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MainTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(List<Experiment> experiments, String... args) {
    return Main.execute(experiments, new PrintWriter(out), new PrintWriter(err), args);
  }

  private int execute(String... args) {
    return execute(
        List.of(new PicturesExperiment(), new Throwing(new IllegalStateException("x"))), args);
  }

  private void assertUsageError(int exitCode, String message) {
    assertThat(exitCode).isEqualTo(2);
    assertOneLine(message);
  }

  private void assertOneLine(String message) {
    assertThat(err.toString()).startsWith("ringflow: ").contains(message).hasLineCount(1);
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "-h"})
  void helpListsTheCommands(String option) {
    assertThat(execute(option)).isZero();
    assertThat(out.toString())
        .contains("Usage: ringflow", "reproduce", "roundtrip", "verify", "--debug", "First steps:")
        .contains("  ringflow train orders.csv --out orders.model ", "  ringflow score ")
        .contains("  train        Learn an exact model of a table or a text.\n")
        .contains("  decompress   Give back files that ringflow compress made smaller.\n");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void helpOfReproduceListsOptionsAndExperiments() {
    assertThat(execute("reproduce", "--help")).isZero();
    assertThat(out.toString())
        .contains(
            "--out", "--seed", "--seeds", "--device", "--quick", "--full", "--jobs", "--resume")
        .contains("--data", "--minutes", "--only", "Examples:")
        .containsPattern("fake +A fake experiment.*\\(2 seeds by default\\)")
        .contains("throwing")
        .containsPattern("all +One after the other\\R")
        .doesNotContain("needs --data");
  }

  @Test
  void helpSaysWhichExperimentsNeedData() {
    assertThat(
            execute(
                List.of(new PicturesExperiment(), new TimedDataExperiment()),
                "reproduce",
                "--help"))
        .isZero();
    assertThat(out.toString().lines())
        .contains(
            "  fake     A fake experiment, with <markup> & more (2 seeds by default)",
            "  on-data  Symbols of a file (1 seed by default; trains by time)",
            "           needs --data: a text file of the letters a and b",
            "  all      One after the other, without those that need --data");
  }

  @Test
  void versionNamesRingflowAndLibtorch() {
    assertThat(execute("--version")).isZero();
    assertThat(out.toString())
        .matches("ringflow \\d+\\.\\d+\\S* \\(libtorch \\d+\\.\\d+\\.\\d+\\)\\R");
  }

  @Test
  void noCommandIsAUsageError() {
    assertUsageError(
        execute(),
        "name a command: train, score, sample, probability, predict, complete, compress, decompress,"
            + " infer, inspect, example, download, normalize, reproduce, launch, results, roundtrip, verify, completion");
  }

  @Test
  void unknownCommandIsAUsageError() {
    assertUsageError(execute("reprodcue"), "reprodcue");
  }

  @Test
  void unknownExperimentNamesTheKnown() {
    assertUsageError(
        execute("reproduce", "foo"), "no such experiment: foo; there are: fake, throwing, all");
  }

  @Test
  void missingExperimentNamesTheKnown() {
    assertUsageError(execute("reproduce"), "name an experiment; there are: fake, throwing, all");
  }

  @Test
  void secondExperimentIsAUsageError() {
    assertUsageError(execute("reproduce", "fake", "throwing"), "throwing");
  }

  @Test
  void badOptionValuesAreUsageErrors() {
    assertUsageError(execute("reproduce", "fake", "--seed", "x"), "'x' is not a whole number");
    err.getBuffer().setLength(0);
    assertUsageError(execute("reproduce", "fake", "--seeds", "0"), "--seeds must be at least 1");
    err.getBuffer().setLength(0);
    assertUsageError(execute("reproduce", "fake", "--seeds", "99999999999"), "--seeds");
    err.getBuffer().setLength(0);
    assertUsageError(
        execute("reproduce", "fake", "--device", "tpu"), "must be auto, cpu or cuda, but is 'tpu'");
    err.getBuffer().setLength(0);
    assertUsageError(execute("reproduce", "fake", "--jobs", "0"), "--jobs must be at least 1");
    err.getBuffer().setLength(0);
    assertUsageError(
        execute("reproduce", "fake", "--full", "--quick"), "--full and --quick exclude each other");
    err.getBuffer().setLength(0);
    assertUsageError(execute("reproduce", "fake", "--sed", "1"), "--sed");
    err.getBuffer().setLength(0);
    assertUsageError(execute("reproduce", "fake", "--out"), "--out");
  }

  @Test
  void aDeviceThatIsNotThereIsOneLine() {
    assumeThat(torch.hasCUDA()).isFalse();
    assertThat(execute("reproduce", "fake", "--device", "cuda")).isEqualTo(1);
    assertOneLine("this build has no CUDA");
  }

  @Test
  void aFailureToReadIsToldByItsReason() {
    var failing =
        new Throwing(new UncheckedIOException(new NoSuchFileException("corpus/valid.txt")));
    String out = folder.toString();
    assertThat(execute(List.of(failing), "reproduce", "throwing", "--out", out)).isEqualTo(1);
    assertOneLine("ringflow: no such file: corpus/valid.txt");
  }

  @Test
  void anOutFolderThatIsAFileFailsBeforeAnyTraining() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    var neverRun = new Throwing(new AssertionError("trained"));
    for (Path out : List.of(file, file.resolve("below/it"))) {
      err.getBuffer().setLength(0);
      assertThat(execute(List.of(neverRun), "reproduce", "throwing", "--out", out.toString()))
          .isEqualTo(1);
      assertOneLine(file + " is a file");
    }
  }

  @Test
  void aFailingExperimentIsOneLine() {
    var failing = new Throwing(new RuntimeException("CUDA error: out of memory\nframe #0: at"));
    String out = folder.toString();
    assertThat(execute(List.of(failing), "reproduce", "throwing", "--out", out)).isEqualTo(1);
    assertOneLine("CUDA error: out of memory");
  }

  @Test
  void anErrorIsOneLineToo() {
    var failing = new Throwing(new UnsatisfiedLinkError("no jnitorch"));
    String out = folder.toString();
    assertThat(execute(List.of(failing), "reproduce", "throwing", "--out", out)).isEqualTo(1);
    assertOneLine("UnsatisfiedLinkError: no jnitorch");
  }

  @Test
  void aFailureWithoutMessageSaysHowToLearnMore() {
    var failing = new Throwing(new NullPointerException());
    String out = folder.toString();
    assertThat(execute(List.of(failing), "reproduce", "throwing", "--out", out)).isEqualTo(1);
    assertOneLine("failed with NullPointerException; --debug shows where");
  }

  @Test
  void debugShowsTheTrace() {
    var failing = new Throwing(new RuntimeException("boom"));
    String out = folder.toString();
    assertThat(execute(List.of(failing), "reproduce", "throwing", "--out", out, "--debug"))
        .isEqualTo(1);
    assertThat(err.toString()).startsWith("ringflow: boom").contains("\tat ");
  }

  /** Fails as soon as it runs. */
  private record Throwing(Throwable failure) implements Experiment {
    @Override
    public String name() {
      return "throwing";
    }

    @Override
    public String title() {
      return "An experiment that fails";
    }

    @Override
    public List<Trial> trials(Settings settings, long seed) {
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure;
    }

    @Override
    public Outcome outcome(Settings settings, List<Finished> finished) {
      throw new AssertionError("there are no trials to make an outcome of");
    }
  }
}
