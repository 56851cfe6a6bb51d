package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.Main;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.ResultsFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models of an experiment run one at a time, each from the weights of another. */
final class StartedFromAnotherTest {
  @TempDir Path folder;

  private final StringWriter err = new StringWriter();
  private Path data;
  private Path run;

  @BeforeEach
  void makeData() throws IOException {
    data = Files.writeString(folder.resolve("letters"), "the cat sat on a mat ".repeat(100));
    run = folder.resolve("run");
  }

  private int only(String model, String... more) {
    err.getBuffer().setLength(0);
    List<String> all = new ArrayList<>(List.of("reproduce", "text8", "--quick"));
    all.addAll(List.of("--device", "cpu", "--data", data.toString(), "--out", run.toString()));
    all.addAll(List.of("--only", model));
    all.addAll(Arrays.asList(more));
    return Main.execute(
        new PrintWriter(new StringWriter()), new PrintWriter(err), all.toArray(new String[0]));
  }

  private void assertRefused(int exitCode) {
    assertThat(exitCode).isEqualTo(1);
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(
            "ringflow: '2 layers with scale' starts from '1 layer with scale': run both, or first the other"
                + " and then this one with --resume\n");
  }

  @Test
  void aModelNeedsTheOneItStartsFrom() throws IOException {
    assertRefused(only("2 layers with scale"));
    assertRefused(only("2 layers with scale", "--resume"));

    assertThat(only("1 layer with scale")).as(err.toString()).isZero();
    Path metrics = run.resolve("results.json");
    assertThat(ResultsFile.read(metrics))
        .extracting(Result::model)
        .containsOnly("1 layer with scale");
    double first = ResultsFile.read(metrics).get(0).seconds();

    assertRefused(only("2 layers with scale"));
    assertThat(only("2 layers with scale", "--resume")).as("nothing was lost: " + err).isZero();
    assertThat(ResultsFile.read(metrics))
        .extracting(Result::model)
        .containsOnly("2 layers with scale");
    assertThat(ResultsFile.read(metrics).get(0).seconds()).isGreaterThan(first);
  }
}
