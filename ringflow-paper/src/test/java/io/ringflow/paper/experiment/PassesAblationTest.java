package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Device;
import io.ringflow.model.FlowModel;
import io.ringflow.model.Presets;
import io.ringflow.network.Network;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.harness.TrialRunner;
import io.ringflow.train.TrainingListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Models that differ from the chosen one in one thing each. */
final class PassesAblationTest {
  private static final long SEED = 3;

  @TempDir Path folder;

  private final Experiment ablation = new PassesAblation();

  private Settings settings(Effort effort) throws IOException {
    return RandomLetters.settings(folder, SEED, effort);
  }

  @ParameterizedTest
  @EnumSource(Effort.class)
  void theFirstIsThePresetAndAllOthersDiffer(Effort effort) throws IOException {
    List<Trial> trials = ablation.trials(settings(effort), SEED);
    TextData data = TextData.text8(settings(effort).data(), TextSizes.of(effort).length());
    Network network = PassesExperiment.network(data, TextSizes.of(effort));
    Trial chosen = trials.get(0);
    int passes = effort == Effort.FULL ? 10 : effort == Effort.DEFAULT ? 4 : 2;
    assertThat(chosen.architecture()).isEqualTo(Presets.within(passes, data.space(), network));
    for (Trial other : trials.subList(1, trials.size())) {
      boolean same =
          other.architecture().equals(chosen.architecture())
              && other.training().options().equals(chosen.training().options());
      // Short rows leave right ends no room to lead.
      assertThat(same && effort == Effort.FULL).as(other.model()).isFalse();
      assertThat(other.training().batches().description())
          .isEqualTo(chosen.training().batches().description());
    }
    assertThat(trials).extracting(Trial::slug).doesNotHaveDuplicates();
    assertThat(trials)
        .filteredOn(trial -> trial.training().options().averageWeights() == 0.999)
        .singleElement()
        .extracting(Trial::architecture)
        .isEqualTo(chosen.architecture());
  }

  @Test
  void aQuickRunScoresValidationRowsAlone() throws IOException {
    Settings settings = settings(Effort.QUICK);
    List<Finished> finished =
        new TrialRunner(ablation, settings, 2, folder.resolve("metrics.jsonl"))
            .run(false, trial -> new TrainingListener() {});
    for (Finished one : finished) {
      assertThat(one.results())
          .extracting(Result::metric)
          .containsExactly("validation", "network calls", "weights");
      assertThat(one.results().get(0).value()).as(one.trial().model()).isBetween(1.0, 10.0);
      try (FlowModel model = one.load(settings)) {
        assertThat(model.device()).isEqualTo(Device.CPU);
        assertThat(one.results().get(1).value())
            .as(one.trial().model())
            .isEqualTo(model.samplingPasses())
            .isLessThanOrEqualTo(2);
      }
    }
    assertThat(ablation.outcome(settings, finished).results()).hasSize(3 * finished.size());
  }
}
