package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.infer.WeightedSamples;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Series;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.Trial;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class IsingChartsTest {
  @TempDir Path out;

  /** Every state once under a uniform model: the weighted histogram is the exact one. */
  @Test
  void magnetisationsAreWeighted() {
    SpinLattice lattice = SpinLattice.ising(2, 0.3);
    int[][] rows = lattice.graph().space().enumerate();
    double[] uniform = new double[rows.length];
    Arrays.fill(uniform, -Math.log(rows.length));
    double[] weights = lattice.graph().logWeights(rows);
    IsingCharts charts = new IsingCharts("ising");
    charts.add("uniform", new WeightedSamples(rows, weights, uniform));
    LineChart chart = charts.magnetisation(lattice);
    double[] exact = new double[5];
    for (int i = 0; i < rows.length; i++) {
      exact[Arrays.stream(rows[i]).sum()] += Math.exp(weights[i] - lattice.logPartition());
    }
    assertThat(chart.series()).hasSize(1);
    assertThat(chart.series().get(0).x()).containsExactly(-1, -0.5, 0, 0.5, 1);
    assertThat(chart.series().get(0).y()).containsExactly(exact, within(1e-9));
  }

  @Test
  void freeEnergiesStandBesideTheExactOnes() {
    Trial trial =
        new IsingExperiment()
            .trials(new Settings(out, 1, 1, "cpu", Effort.QUICK, null, null, List.of()), 1)
            .get(0);
    IsingCharts charts = new IsingCharts("ising");
    for (int side : new int[] {8, 4}) {
      SpinLattice lattice = SpinLattice.ising(side, 0.5);
      Result found =
          new Result(
              "ising",
              lattice.setting(),
              trial.model(),
              InferenceTask.LOG_Z,
              "nats",
              side,
              0.1,
              null,
              null,
              1,
              1,
              "cpu");
      charts.add(lattice, new Finished(trial, List.of(found), null, null));
    }
    List<LineChart> all = charts.freeEnergies();
    assertThat(all).hasSize(1);
    Series exact = all.get(0).series().get(0);
    assertThat(exact.name()).isEqualTo("exact");
    assertThat(exact.joined()).isTrue();
    assertThat(exact.x()).containsExactly(4, 5, 6, 7, 8);
    assertThat(exact.y()[4])
        .isCloseTo(-SpinLattice.ising(8, 0.5).logPartition() / 32, within(1e-12));
    Series found = all.get(0).series().get(1);
    assertThat(found.joined()).isFalse();
    assertThat(found.x()).containsExactly(4, 8);
    assertThat(found.y()).containsExactly(new double[] {-4.0 / 8, -8.0 / 32}, within(1e-12));
  }
}
