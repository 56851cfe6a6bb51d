package io.ringflow.internal.engine;

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
import io.ringflow.testing.Models;
import io.ringflow.testing.Toys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
            Architecture.of(
                Space.of(3, 4, 2, 3),
                new GroupBase(Groups.singles(Order.of(2, 1, 3, 0)), ordered())),
            new Architecture(
                Space.uniform(6, 2),
                Space.NONE,
                new GroupBase(Groups.midpoints(3), new Transformer(8, 1, 2, 8)),
                List.of(new Pack(2), new Reorder(Order.of(2, 0, 4, 1, 3, 5))))));
  }

  /** Some of whose positions lie on a scale. */
  private static Made ordered() {
    return new Made(
        9,
        2,
        List.of(List.of(List.of(1)), List.of(List.of(2)), List.of(), List.of()),
        List.of(List.of(0.1, 0.5, -1.0), List.of(0.2, 0.4, 0.6, 0.9), List.of(), List.of()));
  }

  /**
   * All rows: the probabilities of their symbols are the model's, and choosing them again works.
   */
  @ParameterizedTest
  @MethodSource("architectures")
  void visitsAndChoosesTheSameRows(Architecture architecture) {
    int[][] rows = architecture.space().enumerate();
    try (FlowModel model = FlowModel.create(architecture, 3)) {
      var conditionals = new Conditionals(Models.engine(model));
      int turns = conditionals.turns().size();
      int width = conditionals.turns().maxCardinality();
      int[][] symbols = new int[rows.length][turns];
      double[][][] logProbs = new double[rows.length][turns][];
      double[] sums = new double[rows.length];
      conditionals.visit(
          rows,
          (row, turn, symbol, all, from) -> {
            symbols[row][turn] = symbol;
            logProbs[row][turn] = Arrays.copyOfRange(all, from, from + width);
            sums[row] += all[from + symbol];
          });
      assertThat(sums).containsExactly(model.logProb(rows), within(1e-12));

      List<Integer> asked = new ArrayList<>();
      int[][] chosen =
          conditionals.choose(
              rows.length,
              (row, turn, all, from) -> {
                asked.add(row * turns + turn);
                assertThat(Arrays.copyOfRange(all, from, from + width))
                    .containsExactly(logProbs[row][turn], within(1e-12));
                return symbols[row][turn];
              });
      assertThat(chosen).isEqualTo(rows);
      assertThat(asked).isEqualTo(expectedOrder(conditionals, rows.length));
      int[][] narrow =
          conditionals.chooseNarrow(
              rows.length,
              (row, turn, all, from) -> {
                int own = conditionals.turns().cardinality(turn);
                assertThat(Arrays.copyOfRange(all, from, from + own))
                    .containsExactly(Arrays.copyOf(logProbs[row][turn], own), within(1e-12));
                return symbols[row][turn];
              },
              0);
      assertThat(narrow).isEqualTo(rows);
    }
  }

  private static List<Integer> expectedOrder(Conditionals conditionals, int rows) {
    List<Integer> order = new ArrayList<>();
    int[] starts = conditionals.groupStarts();
    for (int group = 0; group < starts.length - 1; group++) {
      for (int row = 0; row < rows; row++) {
        for (int turn = starts[group]; turn < starts[group + 1]; turn++) {
          order.add(row * conditionals.turns().size() + turn);
        }
      }
    }
    return order;
  }

  /** Enumerated: a constraint allows exactly the base symbols of rows that agree with it. */
  @ParameterizedTest
  @MethodSource("rearranging")
  void constraintsAllowWhatAgrees(Architecture architecture) {
    Space space = architecture.space();
    try (FlowModel model = FlowModel.create(architecture, 4)) {
      var conditionals = new Conditionals(Models.engine(model));
      for (int known = 0; known <= space.size(); known++) {
        int end = known;
        int[][] rows =
            Arrays.stream(space.enumerate())
                .filter(row -> IntStream.range(end, row.length).allMatch(d -> row[d] == 0))
                .toArray(int[][]::new);
        List<Set<Integer>> found = new ArrayList<>();
        for (int turn = 0; turn < conditionals.turns().size(); turn++) {
          found.add(new TreeSet<>());
        }
        conditionals.visit(rows, (row, turn, symbol, all, from) -> found.get(turn).add(symbol));
        Constraint constraint =
            new PartialRows(architecture.positions(), List.of()).constraint(known);
        for (int turn = 0; turn < found.size(); turn++) {
          int position = conditionals.position(turn);
          int cardinality = conditionals.turns().cardinality(turn);
          Set<Integer> allowed = new TreeSet<>();
          IntStream.range(0, cardinality)
              .filter(k -> constraint.allows(position, k))
              .forEach(allowed::add);
          assertThat(allowed).isEqualTo(found.get(turn));
          assertThat(constraint.only(position, cardinality))
              .isEqualTo(allowed.size() == 1 ? allowed.iterator().next() : -1);
          if (!constraint.restricts(position)) {
            assertThat(allowed).hasSize(cardinality);
          }
        }
      }
    }
  }

  static Stream<Architecture> rearranging() {
    return architectures().filter(architecture -> !architecture.movesSymbols());
  }

  /** Layers that only rearrange positions are those without a network. */
  @ParameterizedTest
  @MethodSource("architectures")
  void movingSymbolsTakesANetwork(Architecture architecture) {
    try (FlowModel model = FlowModel.create(architecture, 4)) {
      assertThat(architecture.movesSymbols()).isEqualTo(Models.layers(model).passes() > 0);
    }
  }

  @Test
  void noRowsAreNoWork() {
    try (FlowModel model = FlowModel.create(Toys.tables(), 1)) {
      var conditionals = new Conditionals(Models.engine(model));
      conditionals.visit(new int[0][], (row, turn, symbol, all, from) -> failed());
      assertThat(conditionals.choose(0, (row, turn, all, from) -> failed())).isEmpty();
    }
  }

  private static int failed() {
    throw new AssertionError("nothing to see");
  }

  @Test
  void conditionalAndClosedModelsRefuse() {
    try (FlowModel model = FlowModel.create(Toys.architectures().get("conditional"), 1)) {
      Engine engine = Models.engine(model);
      assertThatThrownBy(() -> new Conditionals(engine))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("conditional");
    }
    FlowModel model = FlowModel.create(Toys.tables(), 1);
    var conditionals = new Conditionals(Models.engine(model));
    model.close();
    assertThatThrownBy(() -> conditionals.choose(1, (row, turn, all, from) -> 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }
}
