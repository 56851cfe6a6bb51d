package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Mask;
import io.ringflow.core.WeightedRows;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.oracle.BipartiteOracle;
import io.ringflow.paper.oracle.FullRankTable;
import io.ringflow.train.WarmStart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Models whose tables are counted are what the oracle computes, where they count the truth. */
final class FullRankModelTest {
  private static final FullRankTable TABLE = FullRankTable.random(4, 3, 8);

  /** Every cell, as often as it comes in very many rows. */
  private static List<WeightedRows> truth() {
    int[][] rows = new int[TABLE.cells()][];
    double[] weights = new double[rows.length];
    for (int cell = 0; cell < rows.length; cell++) {
      rows[cell] = TABLE.row(cell);
      weights[cell] = 1e9 * TABLE.probability(cell);
    }
    return List.of(WeightedRows.of(rows, weights));
  }

  static Stream<FullRankModel> counted() {
    return Arrays.stream(FullRankModel.values()).filter(FullRankModel::isCounted);
  }

  @ParameterizedTest
  @MethodSource("counted")
  void countedModelsReachTheirOracle(FullRankModel model) {
    var oracle = new BipartiteOracle(TABLE);
    List<Mask> masks = model.masks(4);
    double expected =
        switch (model) {
          case FACTORISED -> TABLE.factorised();
          case TABLE_AR_BASE -> TABLE.entropy();
          case SHIFTING -> oracle.modeShifted(masks);
          case SORTING, SORTING_ONE -> oracle.sorted(masks);
          case SORTING_AR -> oracle.bestAutoregressiveLayer();
          default -> throw new AssertionError(model);
        };
    try (FlowModel made = FlowModel.create(model.architecture(4, 3), 1)) {
      WarmStart.fitLayers(made, truth());
      WarmStart.fitBase(made, truth());
      assertThat(TABLE.crossEntropy(made::logProb)).isCloseTo(expected, within(1e-5));
    }
  }

  @Test
  void flowsThatStartAsTheIdentityMoveNothing() {
    List<int[]> rows = new ArrayList<>();
    for (int cell = 0; cell < TABLE.cells(); cell++) {
      rows.add(TABLE.row(cell));
    }
    int[][] all = rows.toArray(int[][]::new);
    try (FlowModel flow = FlowModel.create(FullRankModel.TABLE_AR_FLOW.architecture(4, 3), 1)) {
      assertThat(flow.encode(all)).isDeepEqualTo(all);
    }
  }
}
