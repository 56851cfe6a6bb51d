package io.ringflow.internal.engine;

import io.ringflow.testing.Models;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Reorder;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import io.ringflow.network.Transformer;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Toys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What coders see of a model is the model. */
@ExtendWith(LeakCheck.class)
final class ConditionalsTest {
  static Stream<Architecture> architectures() {
    Made made = new Made(9, 1);
    return Stream.concat(
        Toys.architectures().values().stream().filter(a -> a.condition().size() == 0),
        Stream.of(
            Architecture.of(Space.of(2, 3, 4, 1, 2), new GroupBase(Groups.growing(5, 2), made)),
            new Architecture(
                Space.uniform(6, 2),
                Space.NONE,
                new GroupBase(Groups.midpoints(3), new Transformer(8, 1, 2, 8)),
                List.of(new Pack(2), new Reorder(Order.of(2, 0, 4, 1, 3, 5))))));
  }

  /**
   * All rows: the probabilities of their symbols are the model's, and choosing them again works.
   */
  @ParameterizedTest
  @MethodSource("architectures")
  void visitsAndChoosesTheSameRows(Architecture architecture) {
    int[][] rows = architecture.space().enumerate();
    try (FlowModel model = FlowModel.create(architecture, 3)) {
      Conditionals coding = model.coding();
      int places = coding.places().size();
      int width = coding.places().maxCardinality();
      int[][] symbols = new int[rows.length][places];
      double[][][] logProbs = new double[rows.length][places][];
      double[] sums = new double[rows.length];
      coding.visit(
          rows,
          (row, place, symbol, all, from) -> {
            symbols[row][place] = symbol;
            logProbs[row][place] = Arrays.copyOfRange(all, from, from + width);
            sums[row] += all[from + symbol];
          });
      assertThat(sums).containsExactly(model.logProb(rows), within(1e-12));

      List<Integer> asked = new ArrayList<>();
      int[][] chosen =
          coding.choose(
              rows.length,
              (row, place, all, from) -> {
                asked.add(row * places + place);
                assertThat(Arrays.copyOfRange(all, from, from + width))
                    .containsExactly(logProbs[row][place], within(1e-12));
                return symbols[row][place];
              });
      assertThat(chosen).isEqualTo(rows);
      assertThat(asked).isEqualTo(expectedOrder(coding, rows.length));
    }
  }

  private static List<Integer> expectedOrder(Conditionals coding, int rows) {
    List<Integer> order = new ArrayList<>();
    int[] starts = coding.groupStarts();
    for (int group = 0; group < starts.length - 1; group++) {
      for (int row = 0; row < rows; row++) {
        for (int place = starts[group]; place < starts[group + 1]; place++) {
          order.add(row * coding.places().size() + place);
        }
      }
    }
    return order;
  }

  /** Enumerated: settled are exactly the places that all rows of that end agree in. */
  @ParameterizedTest
  @MethodSource("architectures")
  void settledPlacesAreThoseThatTheEndDecides(Architecture architecture) {
    try (FlowModel model = FlowModel.create(architecture, 4)) {
      Conditionals coding = model.coding();
      boolean moving = Models.layers(model).passes() > 0;
      for (int known = 0; known <= architecture.space().size(); known++) {
        int end = known;
        int[][] rows =
            Arrays.stream(architecture.space().enumerate())
                .filter(row -> IntStream.range(end, row.length).allMatch(d -> row[d] == 0))
                .toArray(int[][]::new);
        int[] common = new int[coding.places().size()];
        Arrays.fill(common, -2);
        coding.visit(
            rows,
            (row, place, symbol, all, from) ->
                common[place] = common[place] == -2 || common[place] == symbol ? symbol : -1);
        int[] nothing = new int[common.length];
        Arrays.fill(nothing, -1);
        assertThat(coding.settled(known)).isEqualTo(moving ? nothing : common);
      }
    }
  }

  @Test
  void noRowsAreNoWork() {
    try (FlowModel model = FlowModel.create(Toys.tables(), 1)) {
      model.coding().visit(new int[0][], (row, place, symbol, all, from) -> failed());
      assertThat(model.coding().choose(0, (row, place, all, from) -> failed())).isEmpty();
    }
  }

  private static int failed() {
    throw new AssertionError("nothing to see");
  }

  @Test
  void conditionalAndClosedModelsRefuse() {
    try (FlowModel model = FlowModel.create(Toys.architectures().get("conditional"), 1)) {
      assertThatThrownBy(model::coding)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("conditional");
    }
    FlowModel model = FlowModel.create(Toys.tables(), 1);
    Conditionals coding = model.coding();
    model.close();
    assertThatThrownBy(() -> coding.choose(1, (row, place, all, from) -> 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }
}
