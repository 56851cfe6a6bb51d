package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Objective;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Trial;
import io.ringflow.train.Batch;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class AdditionExperimentTest {
  private static final String STRAIGHT_THROUGH = ", straight-through";

  private static List<Trial> trials(Effort effort) {
    Settings settings = new Settings(Path.of("run"), 3, 1, "cpu", effort, null, null, List.of());
    return new AdditionExperiment().trials(settings, 3);
  }

  private static Stream<String> models(Effort effort, String setting) {
    return trials(effort).stream()
        .filter(trial -> trial.setting().equals(setting))
        .map(Trial::model);
  }

  @Test
  void everyRowOfTheSectionIsThere() {
    assertThat(models(Effort.DEFAULT, "D=10"))
        .containsExactly(
            "autoregressive base",
            "autoregressive flow",
            "autoregressive flow, straight-through",
            "1 bipartite layer, base given the numbers",
            "2 bipartite layers, base given the numbers",
            "4 bipartite layers, base given the numbers",
            "1 bipartite layer",
            "2 bipartite layers",
            "4 bipartite layers");
    assertThat(models(Effort.DEFAULT, "D=20")).isEmpty();
    assertThat(models(Effort.FULL, "D=20"))
        .contains("autoregressive base", "8 bipartite layers, base given the numbers")
        .contains("8 bipartite layers", "8 bipartite layers, straight-through");
  }

  @ParameterizedTest
  @EnumSource(Effort.class)
  void rowsAreNamedByTheirObjective(Effort effort) {
    assertThat(trials(effort))
        .filteredOn(trial -> !trial.architecture().layers().isEmpty())
        .allSatisfy(
            trial ->
                assertThat(trial.training().options().objective())
                    .isEqualTo(
                        trial.model().endsWith(STRAIGHT_THROUGH)
                            ? Objective.STRAIGHT_THROUGH
                            : Objective.LAYERWISE_CROSS_ENTROPY));
    assertThat(trials(effort)).extracting(Trial::label).doesNotHaveDuplicates();
  }

  /** Sums are those of the numbers as each row reads them, at every step alike. */
  @ParameterizedTest
  @EnumSource(Effort.class)
  void everyRowLearnsSums(Effort effort) {
    for (Trial trial : trials(effort)) {
      boolean turned = trial.architecture().layers().isEmpty();
      for (long step : new long[] {0, trial.training().options().steps() - 1}) {
        Batch batch = trial.training().batches().batch(step);
        Batch pairs = turned ? AdditionPairs.leastSignificantFirst(batch) : batch;
        for (int i = 0; i < pairs.rows().length; i++) {
          assertThat(pairs.rows()[i])
              .as(trial.label() + ", step " + step)
              .isEqualTo(AdditionPairs.sum(pairs.condition()[i]));
        }
        assertThat(Arrays.deepEquals(batch.rows(), trial.training().batches().batch(step).rows()))
            .isTrue();
      }
    }
  }
}
