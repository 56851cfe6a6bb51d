package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.harness.TrialRunner;
import io.ringflow.train.TrainingListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every experiment, at a tiny size, from its trials to its report. */
@Tag("slow")
final class ExperimentsTest {
  /** Those that make their own data; the others have tests of their own. */
  static Stream<String> names() {
    return Experiments.all().stream()
        .filter(experiment -> experiment.dataHelp().isEmpty())
        .map(Experiment::name);
  }

  @ParameterizedTest
  @MethodSource("names")
  void runsAndStaysAboveItsFloors(String name, @TempDir Path out) throws IOException {
    Experiment experiment =
        Experiments.all().stream().filter(e -> e.name().equals(name)).findFirst().orElseThrow();
    Settings settings = new Settings(out, 3, 1, "cpu", Effort.QUICK, null, null, List.of());
    List<Finished> finished =
        new TrialRunner(experiment, settings, 2, out.resolve("metrics.jsonl"))
            .run(false, trial -> new TrainingListener() {});
    Outcome outcome = experiment.outcome(settings, finished);

    assertThat(outcome.results()).hasSizeGreaterThanOrEqualTo(finished.size());
    assertThat(outcome.results())
        .allSatisfy(
            result -> {
              assertThat(result.value()).isFinite();
              if (result.floor() != null) {
                double slack = result.standardError() == null ? 0 : 5 * result.standardError();
                assertThat(result.value()).isGreaterThan(result.floor() - slack - 1e-9);
              }
            });
    assertThat(outcome.charts()).isNotEmpty();
    assertThat(outcome.charts()).allSatisfy(chart -> assertThat(chart.series()).isNotEmpty());
    assertThat(outcome.notes()).isNotEmpty().allSatisfy(note -> assertThat(note).endsWith("."));
  }

  @ParameterizedTest
  @MethodSource("names")
  void seedsAreTheOutermostLoop(String name, @TempDir Path out) {
    Experiment experiment =
        Experiments.all().stream().filter(e -> e.name().equals(name)).findFirst().orElseThrow();
    for (Effort effort : Effort.values()) {
      List<Trial> trials =
          experiment.trials(new Settings(out, 5, 2, "cpu", effort, null, null, List.of()));
      int half = trials.size() / 2;
      assertThat(trials.subList(0, half)).allMatch(trial -> trial.seed() == 5);
      assertThat(trials.subList(half, trials.size())).allMatch(trial -> trial.seed() == 6);
      assertThat(trials.stream().map(Trial::slug)).doesNotHaveDuplicates();
    }
  }
}
