package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.Main;
import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.RunInfo;
import io.ringflow.cli.testing.PicturesExperiment;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code --data}, {@code --minutes} and {@code --only} may be, and where they go. */
final class DataOptionTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final TimedDataExperiment onData = new TimedDataExperiment();
  private final List<Experiment> experiments = List.of(new PicturesExperiment(), onData);
  private Path data;

  @BeforeEach
  void makeData() throws IOException {
    Path secret = Files.createDirectory(folder.resolve("secret"));
    data = Files.writeString(secret.resolve("a's and b's"), "abbab");
  }

  private int execute(String... args) {
    List<String> all = new ArrayList<>(List.of("reproduce", "--device", "cpu"));
    all.addAll(Arrays.asList(args));
    return Main.execute(
        experiments, new PrintWriter(out), new PrintWriter(err), all.toArray(new String[0]));
  }

  private String run() {
    return folder.resolve("run").toString();
  }

  private void assertUsageError(int exitCode, String message) {
    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(
            "ringflow: " + message + " (see 'ringflow reproduce --help')\n");
    assertThat(out.toString()).isEmpty();
    assertThat(folder.resolve("run")).doesNotExist();
  }

  @Test
  void whoeverNeedsDataSaysWhich() {
    assertUsageError(
        execute("on-data", "--out", run()),
        "on-data needs --data: a text file of the letters a and b");
  }

  @Test
  void dataThatIsNotThereIsNamed() {
    assertUsageError(
        execute("on-data", "--out", run(), "--data", data + ".gz"),
        "--data: there is no " + data + ".gz");
  }

  @Test
  void whoeverMakesItsDataTakesNone() {
    assertUsageError(
        execute("fake", "--out", run(), "--data", data.toString()),
        "fake makes its own data; leave out --data");
  }

  @Test
  void allTakesAFolderOfData() {
    assertUsageError(
        execute("all", "--out", run(), "--data", data.toString()),
        "--data must be a folder with all, but " + data + " is none");
  }

  @Test
  void allLeavesOutWhatNeedsDataAndSaysSo() {
    assertThat(execute("all", "--out", run(), "--seeds", "1")).as(err.toString()).isZero();
    assertThat(err.toString().lines().findFirst())
        .hasValue("ringflow: left out for want of --data: on-data");
    assertThat(folder.resolve("run")).isDirectoryContaining("glob:**/fake");
    assertThat(folder.resolve("run/on-data")).doesNotExist();
  }

  @Test
  void minutesAreForThoseThatTrainByTime() {
    assertUsageError(
        execute("fake", "--out", run(), "--minutes", "1"),
        "--minutes is for training by time, not by steps as in fake");
  }

  @Test
  void minutesWithAllAreAnErrorWhereOneTrainsBySteps() {
    assertUsageError(
        execute("all", "--out", run(), "--minutes", "1"),
        "--minutes is for training by time, not by steps as in fake");
  }

  @Test
  void onlyIsForThoseThatTrainByTime() {
    assertUsageError(
        execute("fake", "--out", run(), "--only", "1 layer"),
        "--only is for experiments whose models stand alone, not for fake");
  }

  @Test
  void onlyRunsTheModelsOfThatName() throws IOException {
    onData.models = List.of("base", "other base", "third");
    assertThat(execute("on-data", "--out", run(), "--data", data.toString(), "--only", "r base"))
        .as(err.toString())
        .isZero();
    assertThat(ResultsFile.read(folder.resolve("run/results.json")))
        .extracting(Result::model)
        .containsOnly("other base");
    assertThat(RunInfo.read(folder.resolve("run")).command())
        .endsWith(" --data 'a'\\''s and b'\\''s' --only 'r base'");
    assertThat(Files.readString(folder.resolve("run/report.html")))
        .contains("--only &#39;r base&#39;");
  }

  @Test
  void onlyMayBeRepeated() throws IOException {
    onData.models = List.of("base", "other base", "third");
    String[] args = {
      "on-data", "--out", run(), "--data", data.toString(), "--only", "third", "--only", "other"
    };
    assertThat(execute(args)).as(err.toString()).isZero();
    assertThat(ResultsFile.read(folder.resolve("run/results.json")))
        .extracting(Result::model)
        .containsOnly("other base", "third");
    assertThat(RunInfo.read(folder.resolve("run")).command())
        .endsWith(" --only third --only other");
  }

  @Test
  void onlyWithoutAModelOfThatNameIsOneLine() {
    assertThat(execute("on-data", "--out", run(), "--data", data.toString(), "--only", "layer"))
        .isEqualTo(1);
    assertThat(err.toString())
        .isEqualToNormalizingNewlines("ringflow: no model of on-data has 'layer' in its name\n");
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "0.0", "-1", "NaN", "1e3", "ten", "0.000001", "1,5", "", "99999999999"})
  void otherMinutesAreUsageErrors(String minutes) {
    assertUsageError(
        execute("on-data", "--out", run(), "--data", data.toString(), "--minutes", minutes),
        "Invalid value for option '--minutes': '"
            + minutes
            + "' is not a positive number of minutes");
  }

  @ParameterizedTest
  @CsvSource({
    "10, 600000, 10",
    "0.5, 30000, 0.5",
    "0.10, 6000, 0.1",
    "999999999, 59999999940000, 999999999"
  })
  void minutesAreReadAndWritten(String text, long millis, String written) {
    Duration time = new Minutes().convert(text);
    assertThat(time).isEqualTo(Duration.ofMillis(millis));
    assertThat(Numbers.minutes(time)).isEqualTo(written);
  }

  @Test
  void bothReachTheExperimentAndTheRecordsWithoutTheFolder() throws IOException {
    assertThat(execute("on-data", "--out", run(), "--data", data.toString(), "--minutes", "2.50"))
        .as(err.toString())
        .isZero();
    assertThat(onData.settings.data()).isEqualTo(data);
    assertThat(onData.settings.perModel()).isEqualTo(Duration.ofSeconds(150));
    assertThat(RunInfo.read(folder.resolve("run")).command())
        .isEqualTo(
            "ringflow reproduce on-data --seed 201 --seeds 1 --device cpu"
                + " --data 'a'\\''s and b'\\''s' --minutes 2.5");
    assertThat(Files.readString(folder.resolve("run/report.html")))
        .contains("reproduce on-data --data &#39;a&#39;\\&#39;&#39;s and b")
        .contains("--minutes 2.5")
        .doesNotContain("secret");
    assertThat(Files.readString(folder.resolve("run/run.json"))).doesNotContain("secret");
  }

  @Test
  void withoutMinutesTheExperimentChooses() throws IOException {
    assertThat(execute("on-data", "--out", run(), "--data", data.toString()))
        .as(err.toString())
        .isZero();
    assertThat(onData.settings.perModel()).isNull();
    assertThat(RunInfo.read(folder.resolve("run")).command()).doesNotContain("--minutes");
  }

  @Test
  void trainingsByTimeDoNotTakeItFromEachOther() {
    Set<Thread> workers = ConcurrentHashMap.newKeySet();
    onData.during = () -> workers.add(Thread.currentThread());
    assertThat(execute("on-data", "--out", run(), "--data", data.toString(), "--seeds", "3"))
        .as(err.toString())
        .isZero();
    assertThat(workers).hasSize(1);
  }

  @Test
  void aStoppedRunRepeatsItsData() {
    onData.during =
        () -> {
          throw new IllegalStateException("no more");
        };
    assertThat(execute("on-data", "--out", run(), "--data", data.toString(), "--minutes", "1"))
        .isEqualTo(1);
    assertThat(err.toString().lines())
        .containsExactly(
            "ringflow: no more",
            "ringflow: stopped; continue with: ringflow reproduce --device cpu on-data --out "
                + run()
                + " --data '"
                + data.toString().replace("'", "'\\''")
                + "' --minutes 1 --resume");
  }
}
