package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.Main;
import io.ringflow.cli.testing.StepCountingExperiment;
import io.ringflow.cli.testing.TimedDataExperiment;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.ResultsFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ringflow reproduce all}: every experiment, stopped and resumed. */
@Tag("slow")
final class ReproduceAllTest {
  @TempDir Path folder;

  private final StepCountingExperiment one = new StepCountingExperiment("one");
  private final StepCountingExperiment two = new StepCountingExperiment("two");
  private final StepCountingExperiment three = new StepCountingExperiment("three");
  private final TimedDataExperiment onData = new TimedDataExperiment();
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  private int all(List<Experiment> experiments, String... args) {
    out = new StringWriter();
    err = new StringWriter();
    List<String> words =
        new ArrayList<>(List.of("reproduce", "all", "--device", "cpu", "--jobs", "1"));
    words.addAll(List.of("--out", folder.resolve("runs").toString()));
    words.addAll(Arrays.asList(args));
    return Main.execute(
        experiments, new PrintWriter(out), new PrintWriter(err), words.toArray(new String[0]));
  }

  private int all(String... args) {
    return all(List.of(one, two, three), args);
  }

  private Path file(String experiment, String name) {
    return folder.resolve("runs").resolve(experiment).resolve(name);
  }

  /** The second stops in the middle of its second seed. */
  private void stopTheSecond() {
    two.during =
        (seed, step) -> {
          if (seed == 202 && step == 70) {
            throw new IllegalStateException("no more");
          }
        };
  }

  @Test
  void everyExperimentHasItsOwnFolderAndARowInOneTable() throws IOException {
    assertThat(all()).as(err.toString()).isZero();

    for (String name : List.of("one", "two", "three")) {
      List<Result> results = ResultsFile.read(file(name, "results.json"));
      assertThat(results).hasSize(6).allMatch(result -> result.experiment().equals(name));
      assertThat(results).extracting(Result::seed).containsOnly(201L, 202L, 203L);
      assertThat(file(name, "report.html")).exists();
    }
    List<String> lines = out.toString().lines().toList();
    List<String> summary = lines.subList(lines.indexOf("All experiments"), lines.size());
    assertThat(summary.get(2)).matches("experiment +setting +model +metric +mean +worst +.*seeds");
    assertThat(summary.subList(4, 10))
        .extracting(line -> line.split(" {2,}", -1)[0] + " " + line.split(" {2,}", -1)[2])
        .containsExactly(
            "one base", "one layer", "two base", "two layer", "three base", "three layer");
    assertThat(summary.get(4)).endsWith("201-203");
    assertThat(summary.get(summary.size() - 1))
        .matches("Total: 3 experiments in [0-9.]+ (s|min \\d+ s)");
  }

  @Test
  void aStoppedRunContinuesWhereItStopped() throws IOException {
    stopTheSecond();
    assertThat(all()).isEqualTo(1);
    assertThat(err.toString().lines())
        .contains("ringflow: no more")
        .anyMatch(line -> line.startsWith("ringflow: stopped;") && line.endsWith("--resume"));
    assertThat(file("three", "results.json")).doesNotExist();
    String first = Files.readString(file("one", "run.json"));
    one.steps.clear();
    two.steps.clear();
    two.during = (seed, step) -> {};

    assertThat(all("--resume")).as(err.toString()).isZero();

    assertThat(one.steps).as("finished experiments are not repeated").isEmpty();
    assertThat(Files.readString(file("one", "run.json"))).isEqualTo(first);
    assertThat(two.steps)
        .as("from the checkpoint of step 60")
        .containsOnly(Map.entry(202L, 60), Map.entry(203L, 120));
    assertThat(three.steps)
        .containsOnly(Map.entry(201L, 120), Map.entry(202L, 120), Map.entry(203L, 120));
    assertThat(err.toString().lines())
        .contains("ringflow: finished before: one, " + file("one", ""));
    List<String> lines = out.toString().lines().toList();
    assertThat(lines.subList(lines.indexOf("All experiments"), lines.size()))
        .anyMatch(line -> line.startsWith("one "))
        .last()
        .asString()
        .endsWith(", 1 of them finished before");
  }

  @Test
  void resultsOfARunBeforeDoNotCountAsThoseOfTheOneThatIsResumed() {
    assertThat(all()).as(err.toString()).isZero();
    stopTheSecond();
    assertThat(all()).as("anew, and stopped").isEqualTo(1);
    two.during = (seed, step) -> {};
    three.steps.clear();

    assertThat(all("--resume")).as(err.toString()).isZero();

    assertThat(three.steps).as("the third was finished by the run before only").hasSize(3);
  }

  @Test
  void aFinishedRunWithOtherOptionsIsNotTaken() {
    assertThat(all("--seeds", "1")).as(err.toString()).isZero();
    one.steps.clear();

    assertThat(all("--seeds", "2", "--resume")).as(err.toString()).isZero();

    assertThat(one.steps).as("one seed more").containsOnly(Map.entry(202L, 120));
    assertThat(err.toString()).doesNotContain("finished before");
  }

  @Test
  void experimentsFindTheirDataInAFolder() throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    assertThat(all(List.of(one, onData), "--data", data.toString(), "--seeds", "1"))
        .as(err.toString())
        .isZero();
    assertThat(err.toString().lines())
        .contains(
            "ringflow: left out on-data: " + data + " holds no a text file of the letters a and b");
    assertThat(file("on-data", "")).doesNotExist();

    Files.writeString(data.resolve("letters"), "abbab");
    assertThat(
            all(List.of(one, onData), "--data", data.toString(), "--seeds", "1", "--minutes", "2"))
        .as(err.toString())
        .isZero();
    assertThat(onData.settings.data()).isEqualTo(data.resolve("letters"));
    assertThat(onData.settings.perModel()).isEqualTo(Duration.ofMinutes(2));
    assertThat(Files.readString(file("one", "run.json"))).doesNotContain("--minutes", "--data");
    assertThat(out.toString()).contains("Total: 2 experiments in ");
  }
}
