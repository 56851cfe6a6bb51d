package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Trial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class IsingExperimentTest {
  @TempDir Path out;

  @ParameterizedTest
  @EnumSource(names = {"QUICK", "DEFAULT"})
  void modelsTakeThePassesThatTheyAreNamedBy(Effort effort) {
    Settings settings = new Settings(out, 1, 1, "cpu", effort, null, null, null);
    for (Trial trial : new IsingExperiment().trials(settings, 1)) {
      try (FlowModel model = FlowModel.create(trial.architecture(), 1)) {
        assertThat(trial.model())
            .isIn(
                model.samplingPasses() + " passes",
                "inverse flow, " + model.samplingPasses() + " layers");
      }
    }
  }

  @Test
  void latticesKnowTheirPartitionFunctions() {
    assertThat(SpinLattice.ising(8, 0.44).logPartition()).isCloseTo(60.076308, within(1e-6));
    assertThat(SpinLattice.potts(4, 3, 1.005).logPartition()).isCloseTo(34.171171, within(1e-6));
    assertThat(SpinLattice.ising(16, 0.4407).setting()).isEqualTo("Ising 16x16, beta 0.4407");
    assertThat(SpinLattice.ising(16, 0.4407).peers()).contains("0.87");
  }
}
