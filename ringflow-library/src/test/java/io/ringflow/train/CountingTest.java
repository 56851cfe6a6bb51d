package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.core.WeightedRows;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Made;
import io.ringflow.testing.LeakCheck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Weights set in closed form, compared with counts of all rows of a small space. */
@ExtendWith(LeakCheck.class)
final class CountingTest {
  private static final Space SPACE = Space.of(3, 4, 2);
  private static final int[][] ROWS = SPACE.enumerate();
  private static final int[][] UNCONDITIONAL = {};

  /** A weight for each row of the space; some rows never occur. */
  private static double[] weights(long seed, int rows) {
    var random = new SplittableRandom(seed);
    double[] weights = new double[rows];
    Arrays.setAll(weights, i -> random.nextInt(4) == 0 ? 0 : random.nextInt(1, 1000));
    return weights;
  }

  /** In parts of five rows. */
  private static List<WeightedRows> parts(int[][] rows, int[][] conditions, double[] weights) {
    List<WeightedRows> parts = new ArrayList<>();
    for (int from = 0; from < rows.length; from += 5) {
      int to = Math.min(rows.length, from + 5);
      parts.add(
          new WeightedRows(
              Arrays.copyOfRange(rows, from, to),
              conditions.length == 0 ? conditions : Arrays.copyOfRange(conditions, from, to),
              Arrays.copyOfRange(weights, from, to)));
    }
    return parts;
  }

  /** The log-frequency of a row's symbol among the rows that agree with it on what is seen. */
  private static double logFrequency(
      int[] row, int[] rowCondition, int position, List<Integer> seen, Counted data) {
    double own = 0.5;
    double all = 0.5 * SPACE.cardinality(position);
    for (int i = 0; i < data.rows.length; i++) {
      int[] other = data.rows[i];
      boolean agrees =
          seen.stream().allMatch(s -> other[s] == row[s])
              && (rowCondition == null || Arrays.equals(data.conditions[i], rowCondition));
      if (agrees) {
        all += data.weights[i];
        own += other[position] == row[position] ? data.weights[i] : 0;
      }
    }
    return Math.log(own / all);
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Counted(int[][] rows, int[][] conditions, double[] weights) {}

  @Test
  void aBaseOverTablesIsItsConditionalFrequencies() {
    Order order = Order.of(2, 0, 1);
    var data = new Counted(ROWS, UNCONDITIONAL, weights(1, ROWS.length));
    try (FlowModel model =
        FlowModel.create(
            Architecture.of(SPACE, new AutoregressiveBase(order, new LookupTable())), 1)) {
      WarmStart.fitBase(model, parts(data.rows, data.conditions, data.weights));
      double[] logProb = model.logProb(ROWS);
      for (int i = 0; i < ROWS.length; i++) {
        double expected =
            logFrequency(ROWS[i], null, 2, List.of(), data)
                + logFrequency(ROWS[i], null, 0, List.of(2), data)
                + logFrequency(ROWS[i], null, 1, List.of(2, 0), data);
        assertThat(logProb[i]).isCloseTo(expected, within(1e-5));
      }
    }
  }

  @Test
  void anOutputCountsWhatItSees() {
    var data = new Counted(ROWS, UNCONDITIONAL, weights(2, ROWS.length));
    var network = LookupTable.of(List.of(List.of(), List.of(), List.of(0))).sharingRows();
    Groups groups = Groups.cut(Order.natural(3), 1, 2);
    try (FlowModel model =
        FlowModel.create(Architecture.of(SPACE, new GroupBase(groups, network)), 1)) {
      WarmStart.fitBase(model, parts(data.rows, data.conditions, data.weights));
      // Positions 0 and 1 see nothing and share a row, in which both are counted.
      double[] shared = {0.5, 0.5, 0.5, 0.5};
      for (int i = 0; i < ROWS.length; i++) {
        shared[ROWS[i][0]] += data.weights[i];
        shared[ROWS[i][1]] += data.weights[i];
      }
      double ofFirst = shared[0] + shared[1] + shared[2];
      double[] logProb = model.logProb(ROWS);
      for (int i = 0; i < ROWS.length; i++) {
        double expected =
            Math.log(shared[ROWS[i][0]] / ofFirst)
                + Math.log(shared[ROWS[i][1]] / (ofFirst + shared[3]))
                + logFrequency(ROWS[i], null, 2, List.of(0), data);
        assertThat(logProb[i]).isCloseTo(expected, within(1e-5));
      }
    }
  }

  @Test
  void conditionsAreCountedToo() {
    Space condition = Space.of(2);
    int[][] rows = new int[2 * ROWS.length][];
    int[][] conditions = new int[rows.length][];
    Arrays.setAll(rows, i -> ROWS[i / 2]);
    Arrays.setAll(conditions, i -> new int[] {i % 2});
    var data = new Counted(rows, conditions, weights(3, rows.length));
    Architecture architecture =
        new Architecture(
            SPACE,
            condition,
            new AutoregressiveBase(Order.natural(3), new LookupTable(1)),
            List.of());
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      WarmStart.fitBase(model, parts(data.rows, data.conditions, data.weights));
      double[] logProb = model.logProb(rows, conditions);
      for (int i = 0; i < rows.length; i++) {
        double expected =
            logFrequency(rows[i], conditions[i], 0, List.of(), data)
                + logFrequency(rows[i], conditions[i], 1, List.of(0), data)
                + logFrequency(rows[i], conditions[i], 2, List.of(1), data);
        assertThat(logProb[i]).isCloseTo(expected, within(1e-5));
      }
    }
  }

  @Test
  void plainRowsCountOnce() {
    int[][] rows = {{0, 1, 1}, {0, 1, 1}, {2, 3, 0}};
    Architecture architecture =
        Architecture.of(SPACE, new AutoregressiveBase(Order.natural(3), new LookupTable()));
    try (FlowModel plain = FlowModel.create(architecture, 1);
        FlowModel weighted = FlowModel.create(architecture, 2)) {
      WarmStart.fitBase(plain, rows);
      WarmStart.fitBase(
          weighted,
          List.of(
              WeightedRows.of(new int[][] {{2, 3, 0}}, new double[] {1}),
              WeightedRows.of(new int[][] {{0, 1, 1}}, new double[] {2})));
      assertThat(weighted.logProb(ROWS)).isEqualTo(plain.logProb(ROWS));
    }
  }

  /** The weight of the rows that agree with one in every position but one, by its symbol there. */
  private static double[] conditional(int[][] rows, double[] weights, int i, int at, Mask seen) {
    double[] conditional = new double[SPACE.cardinality(at)];
    for (int j = 0; j < rows.length; j++) {
      int[] other = rows[j];
      int[] row = rows[i];
      if (seen.kept().stream().allMatch(s -> other[s] == row[s])) {
        conditional[other[at]] += weights[j];
      }
    }
    return conditional;
  }

  private static int rank(double[] conditional, int symbol) {
    int rank = 0;
    for (int k = 0; k < conditional.length; k++) {
      boolean ahead =
          conditional[k] > conditional[symbol]
              || (conditional[k] == conditional[symbol] && k < symbol);
      rank += ahead ? 1 : 0;
    }
    return rank;
  }

  @Test
  void sortingLayersSortWhatThoseBeforeThemLeft() {
    Mask first = Mask.odd(3);
    Mask second = Mask.even(3);
    double[] weights = weights(4, ROWS.length);
    Architecture architecture =
        Architecture.of(SPACE, new FactorizedBase())
            .with(new Bipartite(second, new LookupTable(), new Permute()))
            .with(new Bipartite(first, new LookupTable(), new Permute()));
    int[][] expected = ROWS;
    for (Mask mask : List.of(first, second)) {
      int[][] before = expected;
      int[][] after = new int[ROWS.length][];
      for (int i = 0; i < ROWS.length; i++) {
        after[i] = before[i].clone();
        for (int at : mask.moved()) {
          after[i][at] = rank(conditional(before, weights, i, at, mask), before[i][at]);
        }
      }
      expected = after;
    }
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      WarmStart.fitLayers(model, parts(ROWS, UNCONDITIONAL, weights));
      assertThat(model.encode(ROWS)).isDeepEqualTo(expected);
    }
  }

  @Test
  void shiftingLayersMoveTheLikeliestSymbolToZero() {
    double[] weights = weights(5, ROWS.length);
    Architecture architecture =
        Architecture.of(SPACE, new FactorizedBase())
            .with(new Autoregressive(Order.reversed(3), new LookupTable(), new Shift()));
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      WarmStart.fitLayers(model, parts(ROWS, UNCONDITIONAL, weights));
      int[][] encoded = model.encode(ROWS);
      for (int i = 0; i < ROWS.length; i++) {
        for (int at = 0; at < 3; at++) {
          int position = at;
          Mask later = Mask.keep(3, other -> other > position);
          double[] conditional = conditional(ROWS, weights, i, at, later);
          ToIntFunction<double[]> mode =
              p -> {
                int best = 0;
                for (int k = 1; k < p.length; k++) {
                  best = p[k] > p[best] ? k : best;
                }
                return best;
              };
          assertThat(encoded[i][at])
              .isEqualTo(
                  Math.floorMod(ROWS[i][at] - mode.applyAsInt(conditional), SPACE.cardinality(at)));
        }
      }
    }
  }

  @Test
  void whatCountingDoesNotDetermineStays() {
    for (Layer layer :
        List.of(
            new Bipartite(Mask.even(3), new LookupTable(), new ShiftScale()),
            new Bipartite(Mask.even(3), new Made(9, 1), new Shift()))) {
      Architecture architecture = Architecture.of(SPACE, new FactorizedBase()).with(layer);
      try (FlowModel counted = FlowModel.create(architecture, 1);
          FlowModel asMade = FlowModel.create(architecture, 1)) {
        WarmStart.fitLayers(counted, parts(ROWS, UNCONDITIONAL, weights(6, ROWS.length)));
        assertThat(counted.encode(ROWS)).isDeepEqualTo(asMade.encode(ROWS));
      }
    }
  }

  @Test
  void weightsAreThoseOfTheRows() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WeightedRows.of(ROWS, new double[] {1}))
        .withMessage("weights must be of 24 rows, but are of 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WeightedRows.once(ROWS, new int[][] {{0}}))
        .withMessage("conditions must be of 24 rows, but are of 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WeightedRows.of(new int[][] {{0, 0, 0}}, new double[] {-1}))
        .withMessage("weights[0] must be finite and not negative, but is -1.0");
  }
}
