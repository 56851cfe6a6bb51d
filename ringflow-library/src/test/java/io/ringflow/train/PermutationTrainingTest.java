package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Objective;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Sinkhorn;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.testing.LeakCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A permutation learns what no location and scale can say. */
@ExtendWith(LeakCheck.class)
final class PermutationTrainingTest {
  private static final Space SPACE = Space.uniform(2, 4);

  /** How often the second symbol is the first, second, … of the ranking that the first chooses. */
  private static final int[] COUNTS = {8, 4, 2, 1};

  /** The first is a location and scale modulo 4, the others are not. */
  private static final int[][] RANKINGS = {{1, 2, 3, 0}, {1, 0, 2, 3}, {0, 2, 1, 3}, {1, 3, 0, 2}};

  private static int[][] rows() {
    List<int[]> rows = new ArrayList<>();
    for (int first = 0; first < RANKINGS.length; first++) {
      for (int rank = 0; rank < COUNTS.length; rank++) {
        for (int i = 0; i < COUNTS[rank]; i++) {
          rows.add(new int[] {first, RANKINGS[first][rank]});
        }
      }
    }
    return rows.toArray(int[][]::new);
  }

  /** ln 4 for the first symbol, the entropy of a rank for the second. */
  private static double floor() {
    double total = Arrays.stream(COUNTS).sum();
    return Math.log(4)
        - Arrays.stream(COUNTS).mapToDouble(n -> n / total * Math.log(n / total)).sum();
  }

  @ParameterizedTest
  @EnumSource(
      value = Objective.class,
      names = {"LAYERWISE_CROSS_ENTROPY", "PATHWISE"},
      mode = EnumSource.Mode.EXCLUDE)
  void aPermutationReachesTheFloor(Objective objective) throws IOException {
    Architecture architecture =
        Architecture.of(SPACE, new FactorizedBase())
            .with(new Bipartite(Mask.even(2), new LookupTable(), new Sinkhorn()));
    int[][] rows = rows();
    try (FlowModel model = FlowModel.create(architecture, 3)) {
      WarmStart.setMarginals(model, Arrays.stream(COUNTS).asDoubleStream().toArray());
      // A base that stands still says which of its symbols is which rank.
      TrainingOptions options =
          TrainingOptions.builder(100)
              .objective(objective)
              .temperature(Temperature.constant(1))
              .learningRate(0.05)
              .baseLearningRate(0)
              .build();
      double before = loss(model, rows);
      new Trainer(model, options).train(Batches.shuffled(rows, rows.length, 1));
      WarmStart.fitBase(model, rows);
      assertThat(before).isGreaterThan(floor() + 0.5);
      assertThat(loss(model, rows)).isBetween(floor(), floor() + 1e-3);
      for (int[] row : SPACE.enumerate()) {
        int[] ranked = {row[0], RANKINGS[row[0]][row[1]]};
        assertThat(model.encode(new int[][] {ranked})[0]).containsExactly(row);
      }
      double total = Arrays.stream(model.logProb(SPACE.enumerate())).map(Math::exp).sum();
      assertThat(total).isCloseTo(1, within(1e-12));
    }
  }

  private static double loss(FlowModel model, int[][] rows) {
    return -Arrays.stream(model.logProb(rows)).average().orElseThrow();
  }
}
