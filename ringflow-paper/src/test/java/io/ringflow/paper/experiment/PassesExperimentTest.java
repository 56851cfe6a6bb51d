package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Device;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.Outcome.Series;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.harness.TrialRunner;
import io.ringflow.train.TrainingListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The models of the passes experiment, from its plan to its report. */
final class PassesExperimentTest {
  private static final long SEED = 3;

  @TempDir Path folder;

  private final Experiment passes = new PassesExperiment();

  private Settings settings(Effort effort) throws IOException {
    return RandomLetters.settings(folder, SEED, effort);
  }

  private static int passes(Trial trial) {
    return trial.model().equals("autoregressive")
        ? trial.architecture().space().size()
        : Integer.parseInt(trial.model().replaceFirst(" pass(es)?, .*", ""));
  }

  @ParameterizedTest
  @EnumSource(Effort.class)
  void namesAreDistinctAndAllTrainFromScratch(Effort effort) throws IOException {
    Settings settings = settings(effort);
    List<Trial> trials = passes.trials(settings, SEED);
    assertThat(trials).extracting(Trial::slug).doesNotHaveDuplicates();
    assertThat(trials).allMatch(trial -> trial.setting().startsWith("letters, length "));
    assertThat(trials.get(0).model()).isEqualTo("unigrams");
    assertThat(trials.stream().map(Trial::model).filter(name -> name.endsWith(", patches")))
        .containsExactlyElementsOf(
            switch (effort) {
              case QUICK -> List.of("2 passes, patches", "4 passes, patches");
              case DEFAULT ->
                  List.of(
                      "2 passes, patches",
                      "4 passes, patches",
                      "8 passes, patches",
                      "16 passes, patches");
              case FULL -> List.of("4 passes, patches", "10 passes, patches", "32 passes, patches");
            });
    assertThat(trials.subList(1, trials.size()))
        .allMatch(trial -> trial.training().start().source() == null);
  }

  @Test
  void aFolderIsTheTreebank() throws IOException {
    Path treebank = Files.createDirectory(folder.resolve("ptb"));
    for (String part : List.of("train", "valid", "test")) {
      Files.writeString(
          treebank.resolve("ptb.char." + part + ".txt"),
          " t h e _ q u i c k _ b r o w n _ f o x \n a _ l a z y _ d o g \n");
    }
    List<Trial> trials =
        passes.trials(
            new Settings(folder, SEED, 1, "cpu", Effort.QUICK, treebank, null, List.of()), SEED);
    assertThat(trials).allMatch(trial -> trial.setting().equals("ptb, length 288"));
    assertThat(trials).extracting(Trial::model).contains("10 passes, patches");
  }

  @Test
  void modelsDrawInAsManyPassesAsTheirNamesSay() throws IOException {
    List<Trial> trials = passes.trials(settings(Effort.QUICK), SEED);
    assertThat(trials).hasSize(1 + 2 + 5 + 1);
    for (Trial trial : trials.subList(1, trials.size())) {
      try (FlowModel model = FlowModel.create(trial.architecture(), Device.CPU, SEED)) {
        assertThat(model.samplingPasses()).as(trial.model()).isEqualTo(passes(trial));
      }
    }
  }

  @Test
  void aQuickRunGivesBothFrontiers() throws IOException {
    Settings settings = settings(Effort.QUICK);
    Path metrics = folder.resolve("metrics.jsonl");
    List<Finished> finished =
        new TrialRunner(passes, settings, 2, metrics)
            .run(false, trial -> new TrainingListener() {});
    Outcome outcome = passes.outcome(settings, finished);

    assertThat(outcome.results()).hasSize(4 * finished.size() + 3); // what predictions are worth
    for (Finished one : finished) {
      String model = one.trial().model();
      assertThat(value(one, "bpc")).as(model).isFinite().isBetween(1.0, 10.0);
      assertThat(value(one, "network calls"))
          .as(model)
          .isEqualTo(model.equals("unigrams") ? 0 : passes(one.trial()));
    }
    assertThat(outcome.references()).hasSize(finished.size());
    assertThat(outcome.charts())
        .extracting(LineChart::name)
        .startsWith("frontier-passes", "frontier-time", "frontier-time-256")
        .doesNotHaveDuplicates();
    LineChart passes = outcome.charts().get(0);
    assertThat(passes.series())
        .extracting(Series::name)
        .containsExactly(
            "autoregressive",
            "groups, equal blocks",
            "groups, growing letters",
            "groups, growing pairs",
            "groups, midpoints",
            "groups, patches",
            "groups, spread out");
    Series patches = passes.series().get(5);
    assertThat(patches.x()).containsExactly(2, 4);
    for (int i = 0; i < 2; i++) {
      int count = (int) patches.x()[i];
      Finished one =
          finished.stream()
              .filter(it -> it.trial().model().matches(count + " passes, patches"))
              .findFirst()
              .orElseThrow();
      assertThat(patches.y()[i]).isEqualTo(value(one, "bpc"));
    }
    for (LineChart chart : outcome.charts().subList(0, 3)) {
      assertThat(chart.logarithmic()).isTrue();
      Series line = chart.series().get(5);
      assertThat(line.x()).hasSize(2).isSorted();
      assertThat(Arrays.stream(line.x())).allMatch(value -> value > 0);
      assertThat(line.y()).containsExactlyInAnyOrder(patches.y());
    }
    judgesSamples(settings, finished, outcome.listings().get(0));
  }

  /** As the report has it, from the models in the run folder. */
  private void judgesSamples(Settings settings, List<Finished> finished, Listing listing)
      throws IOException {
    assertThat(listing.name()).isEqualTo("passes-judged");
    assertThat(listing.title()).contains("20 rows", "'autoregressive'");
    assertThat(listing.lines()).hasSize(3 + finished.size());
    assertThat(listing.lines().get(1)).startsWith("test text ");
    assertThat(listing.lines().get(2)).startsWith("random letters ");
    Finished judge = finished.get(finished.size() - 1);
    try (FlowModel judging = judge.load(settings)) {
      for (int i = 0; i < finished.size(); i++) {
        String name = finished.get(i).trial().model();
        String line = listing.lines().get(3 + i);
        try (FlowModel model = finished.get(i).load(settings)) {
          double nats = Arrays.stream(judging.logProb(model.sample(20, SEED))).sum();
          String bits = String.format(Locale.ROOT, "%.3f", -nats / (20 * 16 * Math.log(2)));
          assertThat(line).startsWith(name + " ").contains(" " + bits + " ");
        }
      }
    }
    // Without the judge the rest is said all the same.
    Files.delete(folder.resolve("trials").resolve(judge.trial().slug() + ".json"));
    List<String> without = passes.outcome(settings, finished).listings().get(0).lines();
    assertThat(without.get(3)).matches("unigrams +\\d+ +\\S+ +- +- +\\S+ +\\S+");
  }

  private static double value(Finished one, String metric) {
    return one.results().stream()
        .filter(result -> result.metric().equals(metric))
        .mapToDouble(Result::value)
        .reduce(
            (first, second) -> {
              throw new AssertionError("two figures of " + metric);
            })
        .orElseThrow();
  }
}
