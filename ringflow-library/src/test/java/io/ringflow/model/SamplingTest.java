package io.ringflow.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.ShiftScale;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Transformer;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Samples follow the probabilities, and depend on the seed alone. */
@Tag("slow")
@ExtendWith(LeakCheck.class)
final class SamplingTest {
  private static final int DRAWS = 20_000;

  static Stream<Architecture> some() {
    Space space = Space.of(3, 2, 4);
    Layer bipartite = new Bipartite(Mask.odd(3), new Lstm(3, 4, 1), new ShiftScale());
    Layer causal = new Autoregressive(Order.of(2, 0, 1), new Made(6, 1), new ShiftScale());
    return Stream.of(
        Architecture.of(space, new FactorizedBase()).with(bipartite),
        Architecture.of(space, new AutoregressiveBase(Order.of(1, 2, 0), new Lstm(3, 4, 1)))
            .with(causal)
            .with(new Reorder(Order.natural(3))),
        Architecture.of(space, new AutoregressiveBase(Order.natural(3), new Made(6, 1)))
            .condition(Space.of(2))
            .with(bipartite),
        Architecture.of(space, new GroupBase(Groups.cut(Order.of(1, 2, 0), 1, 2), new Made(6, 1))),
        Architecture.of(
                space,
                new GroupBase(Groups.cut(Order.natural(3), 2, 1), new Transformer(8, 1, 2, 8)))
            .condition(Space.of(2))
            .with(new Autoregressive(Order.of(2, 0, 1), new Made(6, 1), new Permute())),
        new Architecture(
            Space.of(3, 2, 2, 2),
            Space.NONE,
            new GroupBase(Groups.blocks(2, 2), new LookupTable()),
            List.of(new Pack(2))));
  }

  @ParameterizedTest
  @MethodSource("some")
  void frequenciesAgreeWithProbabilities(Architecture architecture) {
    try (FlowModel model = Zoo.wild(architecture)) {
      int[][] rows = architecture.space().enumerate();
      List<int[][]> givenWithRows = Zoo.contexts(architecture.condition(), rows.length);
      List<int[][]> givenWithDraws = Zoo.contexts(architecture.condition(), DRAWS);
      for (int i = 0; i < givenWithRows.size(); i++) {
        int[][] condition = givenWithDraws.get(i);
        int[][] drawn = condition.length == 0 ? model.sample(DRAWS, 3) : model.sample(condition, 3);
        Map<List<Integer>, Integer> counts = new HashMap<>();
        for (int[] row : drawn) {
          counts.merge(key(row), 1, Integer::sum);
        }
        double[] expected =
            Arrays.stream(model.logProb(rows, givenWithRows.get(i)))
                .map(logProb -> DRAWS * Math.exp(logProb))
                .toArray();
        double[] observed =
            Arrays.stream(rows).mapToDouble(row -> counts.getOrDefault(key(row), 0)).toArray();
        assertThat(chiSquareInDeviations(observed, expected)).isLessThan(4);
      }
    }
  }

  private static List<Integer> key(int[] row) {
    return Arrays.stream(row).boxed().toList();
  }

  /** Pearson's statistic, rare cells as one, in standard deviations above its mean. */
  private static double chiSquareInDeviations(double[] observed, double[] expected) {
    double statistic = 0;
    double rareObserved = 0;
    double rareExpected = 0;
    int cells = 0;
    for (int i = 0; i < observed.length; i++) {
      if (expected[i] < 5) {
        rareObserved += observed[i];
        rareExpected += expected[i];
      } else {
        statistic += Math.pow(observed[i] - expected[i], 2) / expected[i];
        cells++;
      }
    }
    if (rareExpected >= 5) {
      statistic += Math.pow(rareObserved - rareExpected, 2) / rareExpected;
      cells++;
    }
    int freedom = cells - 1;
    assertThat(freedom).isGreaterThan(2);
    return (statistic - freedom) / Math.sqrt(2.0 * freedom);
  }

  @ParameterizedTest
  @MethodSource("some")
  void theSeedDecides(Architecture architecture) {
    try (FlowModel model = Zoo.wild(architecture)) {
      int[][] condition = new int[50][architecture.condition().size()];
      assertThat(draw(model, condition, 1)).isDeepEqualTo(draw(model, condition, 1));
      assertThat(Arrays.deepEquals(draw(model, condition, 1), draw(model, condition, 2))).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("some")
  void aLongerDrawBeginsWithTheShorterOne(Architecture architecture) {
    try (FlowModel model = Zoo.wild(architecture)) {
      // More than one chunk of rows.
      int[][] all = draw(model, new int[9000][architecture.condition().size()], 5);
      for (int count : new int[] {0, 1, 7, 8192, 8999}) {
        int[][] condition = new int[count][architecture.condition().size()];
        assertThat(draw(model, condition, 5)).isDeepEqualTo(Arrays.copyOf(all, count));
      }
    }
  }

  private static int[][] draw(FlowModel model, int[][] condition, long seed) {
    return model.architecture().condition().size() == 0
        ? model.sample(condition.length, seed)
        : model.sample(condition, seed);
  }

  /** Positions of 1 symbol, impossible symbols of narrow positions: never out of the space. */
  @Test
  void samplesStayInTheSpace() {
    Space space = Space.of(1, 7, 2, 1);
    Architecture architecture =
        Architecture.of(space, new AutoregressiveBase(Order.reversed(4), new Made(6, 1)));
    try (FlowModel model = Zoo.wild(architecture)) {
      space.check("sample", model.sample(5000, 1));
    }
  }
}
