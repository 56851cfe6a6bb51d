package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.DataFormatException;
import io.ringflow.core.Space;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Estimate;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.harness.TrialRunner;
import io.ringflow.paper.oracle.GhzState;
import io.ringflow.table.ChowLiu;
import io.ringflow.train.TrainingListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The experiments on tables, at their smallest, from files to report. */
final class RowExperimentsTest {
  @TempDir Path folder;

  private Settings settings(Path data) throws IOException {
    Path out = Files.createDirectories(folder.resolve("run"));
    return new Settings(out, 3, 1, "cpu", Effort.QUICK, data, null, List.of());
  }

  private static Outcome outcome(Experiment experiment, Settings settings) throws IOException {
    List<Finished> finished =
        new TrialRunner(experiment, settings, 1, settings.out().resolve("metrics.jsonl"))
            .run(false, trial -> new TrainingListener() {});
    Outcome outcome = experiment.outcome(settings, finished);
    assertThat(outcome.results())
        .allSatisfy(
            result -> {
              assertThat(result.experiment()).isEqualTo(experiment.name());
              assertThat(result.value()).isFinite().isPositive();
              assertThat(result.standardError()).isFinite().isPositive();
            });
    assertThat(outcome.charts())
        .isNotEmpty()
        .allSatisfy(chart -> assertThat(chart.series()).hasSize(3));
    assertThat(outcome.notes()).isNotEmpty().allSatisfy(note -> assertThat(note).endsWith("."));
    return outcome;
  }

  private static Result result(Outcome outcome, String setting, String model, String metric) {
    return outcome.results().stream()
        .filter(result -> result.setting().equals(setting))
        .filter(result -> result.model().equals(model) && result.metric().equals(metric))
        .findFirst()
        .orElseThrow();
  }

  private static Reference reference(Outcome outcome, String setting, String model) {
    return outcome.references().stream()
        .filter(one -> one.setting().equals(setting) && one.model().equals(model))
        .findFirst()
        .orElseThrow();
  }

  private static void write(Path file, int[][] rows, String separator) throws IOException {
    Files.writeString(
        file,
        Arrays.stream(rows)
            .map(
                row ->
                    Arrays.stream(row)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(separator)))
            .collect(Collectors.joining("\n", "", "\n")));
  }

  /** Columns that mostly repeat the one before. */
  private static int[][] bits(int count, int columns, long seed) {
    var random = new SplittableRandom(seed);
    int[][] rows = new int[count][columns];
    for (int[] row : rows) {
      for (int d = 0; d < columns; d++) {
        row[d] = d > 0 && random.nextInt(10) > 0 ? row[d - 1] : random.nextInt(2);
      }
    }
    return rows;
  }

  private void table(String name, int columns) throws IOException {
    write(folder.resolve(name + ".train.data"), bits(300, columns, 1), ",");
    write(folder.resolve(name + ".valid.data"), bits(60, columns, 2), ",");
    write(folder.resolve(name + ".test.data"), bits(60, columns, 3), ",");
  }

  private static final List<String> MODELS =
      List.of("factorised", "autoregressive", "8 passes", "1 pass, sorting");

  @Test
  void tables() throws IOException {
    table("nltcs", 16);
    table("other", 27); // of which 3 divide, and 2 do not
    Outcome outcome = outcome(new TablesExperiment(), settings(folder));

    for (String setting : List.of("nltcs", "other")) {
      assertThat(
              outcome.results().stream()
                  .filter(result -> result.setting().equals(setting))
                  .map(Result::model)
                  .distinct())
          .containsExactlyElementsOf(MODELS);
    }
    int[][] train = bits(300, 16, 1);
    int[][] test = bits(60, 16, 3);
    double[] costs = new double[test.length];
    for (int d = 0; d < 16; d++) {
      int column = d;
      double ones = Arrays.stream(train).mapToInt(row -> row[column]).sum();
      for (int i = 0; i < costs.length; i++) {
        costs[i] -= Math.log(((test[i][d] == 1 ? ones : 300 - ones) + 0.5) / 301);
      }
    }
    Estimate factorised = Estimate.mean(costs);
    Result counted = result(outcome, "nltcs", "factorised", "nll");
    assertThat(counted.value()).isCloseTo(factorised.value(), within(1e-5));
    assertThat(counted.standardError()).isCloseTo(factorised.standardError(), within(1e-5));
    assertThat(reference(outcome, "nltcs", "8 passes").factorised()).isEqualTo(counted.value());

    double tree =
        -Arrays.stream(ChowLiu.fit(Space.uniform(16, 2), train, 4).logProb(test))
            .average()
            .orElseThrow();
    assertThat(reference(outcome, "nltcs", "autoregressive").peers())
        .startsWith(String.format(Locale.ROOT, "Chow-Liu tree %.2f, LearnSPN", tree));
    assertThat(reference(outcome, "other", "autoregressive").peers())
        .matches("Chow-Liu tree \\d+[.]\\d\\d");
    assertThat(outcome.listings()).hasSize(1);
    assertThat(outcome.listings().get(0).lines()).as("three networks a table").hasSize(1 + 6);
  }

  @Test
  void passesAreWhatTheModelsAreCalledBy() throws IOException {
    table("table", 24);
    List<Trial> trials = new TablesExperiment().trials(settings(folder), 1);
    assertThat(trials).extracting(Trial::model).containsExactlyElementsOf(MODELS);
    assertThat(trials.stream().map(RowExperimentsTest::passes)).containsExactly(0, 8, 8, 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 17, 69})
  void anyNumberOfColumnsWillDo(int columns) throws IOException {
    table("table", columns);
    assertThat(new TablesExperiment().trials(settings(folder), 1).stream().skip(2))
        .extracting(RowExperimentsTest::passes)
        .containsExactly(8, 1);
  }

  @Test
  void fifteenColumnsAreTooFew() throws IOException {
    table("small", 15);
    assertThatThrownBy(() -> new TablesExperiment().trials(settings(folder), 1))
        .isInstanceOf(UncheckedIOException.class)
        .cause()
        .isInstanceOf(DataFormatException.class)
        .hasMessage(folder + ": table small has 15 columns, but at least 16 are needed");
  }

  private static int passes(Trial trial) {
    try (FlowModel model = FlowModel.create(trial.architecture(), 1)) {
      return model.samplingPasses();
    }
  }

  /** Measurements, by the exact probabilities of all rows. */
  private static int[][] measured(int count, int sites, long seed) {
    GhzState state = new GhzState(sites);
    int[][] all = state.space().enumerate();
    double[] below = Arrays.stream(state.logProb(all)).map(Math::exp).toArray();
    Arrays.parallelPrefix(below, Double::sum);
    var random = new SplittableRandom(seed);
    int[][] rows = new int[count][];
    Arrays.setAll(
        rows,
        i -> {
          int at = Arrays.binarySearch(below, random.nextDouble() * below[below.length - 1]);
          return all[at < 0 ? -at - 1 : at];
        });
    return rows;
  }

  @Test
  void ghz() throws IOException {
    Path data = folder.resolve("data");
    write(data, measured(1000, 8, 1), " ");
    Outcome outcome = outcome(new GhzExperiment(), settings(data));

    GhzState state = new GhzState(8);
    assertThat(outcome.results().stream().map(Result::model).distinct())
        .containsExactly("factorised", "autoregressive", "4 passes", "1 pass, sorting");
    assertThat(outcome.results())
        .allSatisfy(
            result -> {
              assertThat(result.floor()).isEqualTo(state.entropy());
              assertThat(result.value())
                  .isGreaterThan(state.entropy() - 5 * result.standardError());
            });
    Result population = result(outcome, "8 sites", "factorised", "population nll");
    assertThat(population.value())
        .as("what counts of 450 rows come to")
        .isBetween(
            state.factorised() - 5 * population.standardError(),
            state.factorised() + 5 * population.standardError() + 0.1);
    assertThat(reference(outcome, "8 sites", "4 passes").factorised())
        .isEqualTo(state.factorised());
    assertThat(outcome.notes().get(0)).contains("first 450 rows", "next 50", "last 500");
    assertThat(outcome.listings().get(0).lines()).hasSize(1 + 3);
  }

  @Test
  void ghzPasses() throws IOException {
    Path data = folder.resolve("data");
    write(data, measured(40, 10, 1), " ");
    List<Trial> trials = new GhzExperiment().trials(settings(data), 1);
    assertThat(trials.stream().map(RowExperimentsTest::passes)).containsExactly(0, 10, 4, 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "3 3 3 3 3 3 3 3 | : at least 40 rows of an even number of sites, 8 to 12, are needed, but"
            + " there are 39 of 8 | 39",
        "3 3 3 3 3 3 3 | : at least 40 rows of an even number of sites, 8 to 12, are needed, but"
            + " there are 40 of 7 | 40",
        "3 3 3 0 1 3 3 3 | : row 1 has outcomes 0 and 1 together, which no measurement of this state"
            + " gives | 40"
      })
  void measurementsThatCantBeUsed(String row, String message, int count) throws IOException {
    Path data = Files.writeString(folder.resolve("data"), (row + "\n").repeat(count));
    assertThatThrownBy(() -> new GhzExperiment().trials(settings(data), 1))
        .isInstanceOf(UncheckedIOException.class)
        .cause()
        .isInstanceOf(DataFormatException.class)
        .hasMessage(data + message);
  }
}
