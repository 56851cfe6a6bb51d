package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Trial;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class IsingExperimentTest {
  @TempDir Path out;

  @ParameterizedTest
  @EnumSource(names = {"QUICK", "DEFAULT"})
  void modelsTakeThePassesThatTheyAreNamedBy(Effort effort) {
    Settings settings = new Settings(out, 1, 1, "cpu", effort, null, null, List.of());
    for (Trial trial : new IsingExperiment().trials(settings, 1)) {
      try (FlowModel model = FlowModel.create(trial.architecture(), 1)) {
        assertThat(trial.model())
            .isIn(
                model.samplingPasses() + " passes",
                "inverse flow, " + model.samplingPasses() + " layers");
      }
    }
  }

  /** Of all factorised models on a small torus, found by trying, none is better. */
  @Test
  void meanFieldTheoryIsTheBestFactorisedModel() {
    for (double beta : new double[] {0.1, 0.44, 0.6}) {
      double best = Double.NEGATIVE_INFINITY;
      for (int one = 1; one < 200; one++) {
        for (int two = 1; two < 200; two++) { // the two colours of a 2 x 2 torus, of eight edges
          double p = one / 200.0;
          double q = two / 200.0;
          double entropies = 2 * entropy(p) + 2 * entropy(q);
          best = Math.max(best, entropies + 8 * beta * (2 * p - 1) * (2 * q - 1));
        }
      }
      SpinLattice lattice = SpinLattice.ising(2, beta);
      assertThat(lattice.factorisedGap())
          .isCloseTo(lattice.logPartition() - best, within(2e-3))
          .isLessThanOrEqualTo(lattice.logPartition() - best + 1e-12);
    }
    assertThat(SpinLattice.ising(8, 0.44).factorisedGap()).isCloseTo(1.652707, within(1e-6));
    assertThat(SpinLattice.potts(4, 3, 1).factorisedGap()).isNull();
  }

  private static double entropy(double p) {
    return -p * Math.log(p) - (1 - p) * Math.log(1 - p);
  }

  @Test
  void latticesKnowTheirPartitionFunctions() {
    assertThat(SpinLattice.ising(8, 0.44).logPartition()).isCloseTo(60.076308, within(1e-6));
    assertThat(SpinLattice.potts(4, 3, 1.005).logPartition()).isCloseTo(34.171171, within(1e-6));
    assertThat(SpinLattice.ising(16, 0.4407).setting()).isEqualTo("Ising 16x16, beta 0.4407");
    assertThat(SpinLattice.ising(16, 0.4407).peers()).contains("0.87");
  }
}
