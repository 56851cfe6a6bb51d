package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.oracle.PottsLattice;
import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Models of lattices: what their layer does, and that they are compared fairly. */
final class PottsModelTest {
  private final PottsLattice lattice = PottsLattice.paper(3, 4, 0.5);

  @ParameterizedTest
  @EnumSource(names = {"FLOW", "WIDE_FLOW"})
  void theLayerDividesOutTheSymmetryOfTheStates(PottsModel flow) throws IOException {
    var options =
        TrainingOptions.builder(30)
            .learningRate(flow.options(Effort.DEFAULT).learningRate())
            .objective(flow.options(Effort.DEFAULT).objective())
            .build();
    int[][] rows = lattice.sample(20, new SplittableRandom(1));
    int[][] turned =
        Arrays.stream(rows)
            .map(row -> Arrays.stream(row).map(state -> (state + 3) % 4).toArray())
            .toArray(int[][]::new);
    try (FlowModel model = FlowModel.create(flow.on(lattice), 1)) {
      new Trainer(model, options).train(Batches.sampled(1, random -> lattice.sample(256, random)));
      int[][] base = model.encode(rows);
      int[][] turnedBase = model.encode(turned);
      for (int i = 0; i < rows.length; i++) {
        assertThat(turnedBase[i][0]).as("the first site tells").isNotEqualTo(base[i][0]);
        base[i][0] = 0;
        turnedBase[i][0] = 0;
      }
      assertThat(turnedBase).isDeepEqualTo(base);
    }
  }

  @Test
  void aFlowTakesAsManyStepsAsItsBase() {
    for (Effort effort : Effort.values()) {
      assertThat(PottsModel.FLOW.options(effort).steps())
          .isEqualTo(PottsModel.BASE.options(effort).steps());
      assertThat(PottsModel.WIDE_FLOW.options(effort).steps())
          .isEqualTo(PottsModel.WIDE_BASE.options(effort).steps());
    }
  }

  @Test
  void thePaperHasResultsOfItsOwnNetworkAlone() {
    PottsRow row = PottsRow.ALL.get(5);
    assertThat(row.paper(PottsModel.BASE)).isEqualTo(5.87);
    assertThat(row.paper(PottsModel.FLOW)).isEqualTo(5.56);
    assertThat(row.paper(PottsModel.WIDE_FLOW)).isNull();
  }
}
