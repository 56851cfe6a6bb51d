package io.ringflow.internal.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Engine;
import io.ringflow.internal.engine.Engines;
import io.ringflow.internal.graph.RefusedCaptures;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Reorder;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import io.ringflow.testing.ChiSquare;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Zoo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows with some symbols given follow the conditional distribution, which is enumerated. */
@Tag("slow")
@ExtendWith(LeakCheck.class)
final class ConditionalSamplerTest {
  private static final int ROWS = 2500;
  private static final Space SPACE = Space.of(2, 3, 2, 3);
  private static final Made NETWORK =
      new Made(
          12, 1, Collections.nCopies(4, List.of(List.of(0), List.of(1), List.of(2), List.of(3))));

  /** Columns 2, 0, 3, 1, one after the other. */
  private static final Architecture SINGLY =
      new Architecture(
          SPACE, Space.NONE, new AutoregressiveBase(Order.of(2, 0, 3, 1), NETWORK), List.of());

  /** Columns 1 and 3 as one symbol, then 0 and 2. */
  private static final Architecture PAIRS =
      new Architecture(
          SPACE,
          Space.NONE,
          new GroupBase(Groups.singles(Order.natural(2)), NETWORK),
          List.of(new Pack(2), new Reorder(Order.of(2, 0, 3, 1))));

  /** Columns 0 and 1 at once, then 2 and 3 at once; the layers do nothing, in a chain. */
  private static final Architecture GROUPED =
      new Architecture(
          SPACE,
          Space.NONE,
          new GroupBase(Groups.cut(Order.natural(4), 2, 2), NETWORK),
          List.of(
              Chain.of(new Reorder(Order.reversed(4)), Chain.of(new Reorder(Order.reversed(4))))));

  private static final Architecture INDEPENDENT =
      new Architecture(SPACE, Space.NONE, new FactorizedBase(), List.of());

  private static final Architecture SORTED =
      new Architecture(
          SPACE,
          Space.NONE,
          new FactorizedBase(),
          List.of(
              new Bipartite(Mask.even(2), NETWORK, new Permute()),
              new Pack(2),
              new Reorder(Order.of(2, 0, 3, 1))));

  private static final Architecture SORTED_IN_A_CHAIN =
      new Architecture(
          SPACE,
          Space.NONE,
          new FactorizedBase(),
          List.of(
              Chain.of(new Reorder(Order.of(2, 0, 3, 1))),
              Chain.of(new Bipartite(Mask.odd(4), NETWORK, new Permute()))));

  /** A model, what is given, and whether that is sampled exactly. */
  record Case(String name, Architecture architecture, Map<Integer, Integer> given, boolean exact) {
    @Override
    public String toString() {
      return name + ", given " + given;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("singly", SINGLY, Map.of(2, 1), true),
        new Case("singly", SINGLY, Map.of(2, 0, 0, 1), true),
        new Case("singly", SINGLY, Map.of(0, 1), false),
        new Case("singly", SINGLY, Map.of(1, 2), false),
        new Case("singly", SINGLY, Map.of(2, 1, 3, 0), false),
        new Case("pairs", PAIRS, Map.of(1, 1), true),
        new Case("pairs", PAIRS, Map.of(1, 2, 3, 1), true),
        new Case("pairs", PAIRS, Map.of(0, 1), false),
        // Of the first symbol one column is still free when the second one's turn comes.
        new Case("pairs", PAIRS, Map.of(1, 0, 0, 1), false),
        new Case("grouped", GROUPED, Map.of(1, 2), true),
        new Case("grouped", GROUPED, Map.of(0, 1, 1, 2), true),
        new Case("grouped", GROUPED, Map.of(3, 2), false),
        new Case("independent", INDEPENDENT, Map.of(3, 2, 0, 0), true),
        new Case("sorted", SORTED, Map.of(0, 1), true),
        new Case("sorted", SORTED, Map.of(1, 1, 2, 0), true),
        new Case("sorted in a chain", SORTED_IN_A_CHAIN, Map.of(3, 0), true));
  }

  private static ConditionalSampler.Sampled sample(
      FlowModel model, int count, Map<Integer, Integer> given, long seed) {
    return new ConditionalSampler(model)
        .sample(count, given, seed, SamplingOptions.DEFAULTS, ProgressListener.IGNORED);
  }

  /** The same rows' probabilities, given those columns. */
  private static double[] conditional(FlowModel model, Map<Integer, Integer> given) {
    int[][] rows = SPACE.enumerate();
    double[] joint = joint(model);
    for (int i = 0; i < rows.length; i++) {
      int[] row = rows[i];
      if (given.entrySet().stream().anyMatch(entry -> row[entry.getKey()] != entry.getValue())) {
        joint[i] = 0;
      }
    }
    double sum = Arrays.stream(joint).sum();
    return Arrays.stream(joint).map(p -> p / sum).toArray();
  }

  private static double[] joint(FlowModel model) {
    int[][] rows = model.architecture().space().enumerate();
    return Arrays.stream(model.logProb(rows)).map(Math::exp).toArray();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void frequenciesAreThoseOfTheConditional(Case test) {
    try (FlowModel model = Zoo.wild(test.architecture)) {
      ConditionalSampler.Sampled sampled = sample(model, ROWS, test.given, 5);
      assertThat(sampled.exact()).isEqualTo(test.exact);
      assertThat(sampled.effective()).isEqualTo(ROWS);
      assertThat(sampled.rows()).hasNumberOfRows(ROWS);
      double[] wanted = conditional(model, test.given);
      assertThat(ChiSquare.of(sampled.rows(), SPACE.enumerate(), wanted).pValue())
          .isGreaterThan(ChiSquare.ACCEPTED);
      // A distribution that is wrong by a little is found out.
      double possible = Arrays.stream(wanted).filter(p -> p > 0).count();
      double[] flatter =
          Arrays.stream(wanted).map(p -> p == 0 ? 0 : 0.7 * p + 0.3 / possible).toArray();
      assertThat(ChiSquare.of(sampled.rows(), SPACE.enumerate(), flatter).pValue())
          .isLessThan(ChiSquare.REJECTED * ChiSquare.REJECTED);
    }
  }

  /** Of one row nobody sees that others would weigh more or less. */
  @Test
  void singleRowsFollowTheConditionalToo() {
    try (FlowModel model = Zoo.wild(SINGLY)) {
      int[][] rows = new int[1000][];
      for (int seed = 0; seed < rows.length; seed++) {
        ConditionalSampler.Sampled one = sample(model, 1, Map.of(1, 1), seed);
        assertThat(one.exact()).isFalse();
        rows[seed] = one.rows()[0];
      }
      // Of 64 candidates one is picked: the bias is there, and smaller than what chance does.
      assertThat(distance(rows, conditional(model, Map.of(1, 1)))).isLessThan(0.08);
      assertThat(distance(rows, freely(model, joint(model), 1))).isGreaterThan(0.25);
    }
  }

  /** Half the sum of absolute differences between frequencies and probabilities. */
  private static double distance(int[][] rows, double[] probabilities) {
    int[][] possible = SPACE.enumerate();
    double sum = 0;
    for (int i = 0; i < possible.length; i++) {
      int[] one = possible[i];
      long count = Arrays.stream(rows).filter(row -> Arrays.equals(row, one)).count();
      sum += Math.abs((double) count / rows.length - probabilities[i]);
    }
    return sum / 2;
  }

  /** Rows' probabilities if column 1, which comes last, is put in and the others sampled freely. */
  private static double[] freely(FlowModel model, double[] joint, int symbol) {
    int[][] rows = model.architecture().space().enumerate();
    Map<List<Integer>, Double> others = new HashMap<>();
    for (int i = 0; i < rows.length; i++) {
      others.merge(List.of(rows[i][0], rows[i][2], rows[i][3]), joint[i], Double::sum);
    }
    return Arrays.stream(rows)
        .mapToDouble(row -> row[1] == symbol ? others.get(List.of(row[0], row[2], row[3])) : 0)
        .toArray();
  }

  /** Kish's effective size is {@code n (E w)^2 / E w^2}, of which both means are enumerated. */
  @Test
  void theEffectiveSizeIsThatOfTheWeights() {
    int count = 200;
    Architecture large =
        new Architecture(
            Space.of(6, 40, 6, 6),
            Space.NONE,
            new AutoregressiveBase(Order.of(2, 0, 3, 1), new Made(12, 1)),
            List.of());
    try (FlowModel model = Zoo.wild(large)) {
      double[] joint = joint(model);
      double[] wanted =
          IntStream.range(0, 40)
              .mapToDouble(k -> 64 * count * weightsShare(model, joint, k))
              .toArray();
      int few = nearest(wanted, count / 2.0);
      assertThat(sample(model, count, Map.of(1, few), 3).effective())
          .isCloseTo(wanted[few], within(0.2 * wanted[few]))
          .isLessThan(0.9 * count);
      int many = nearest(wanted, 32 * count);
      assertThat(sample(model, count, Map.of(1, many), 3).effective()).isEqualTo(count);
    }
  }

  /** {@code (E w)^2 / E w^2} of rows sampled freely; a weight is the last symbol's probability. */
  private static double weightsShare(FlowModel model, double[] joint, int symbol) {
    double[] free = freely(model, joint, symbol);
    double mean = 0;
    double square = 0;
    for (int i = 0; i < free.length; i++) {
      mean += free[i] > 0 ? joint[i] : 0;
      square += free[i] > 0 ? joint[i] * joint[i] / free[i] : 0;
    }
    return mean * mean / square;
  }

  private static int nearest(double[] values, double wanted) {
    return IntStream.range(0, values.length)
        .boxed()
        .min(Comparator.comparingDouble(i -> Math.abs(values[i] - wanted)))
        .orElseThrow();
  }

  @Test
  void theSameSeedSamplesTheSameRows() {
    cases()
        .forEach(
            test -> {
              try (FlowModel model = Zoo.wild(test.architecture)) {
                int[][] rows = sample(model, 40, test.given, 5).rows();
                assertThat(sample(model, 40, test.given, 5).rows()).isDeepEqualTo(rows);
                assertThat(Arrays.deepEquals(sample(model, 40, test.given, 6).rows(), rows))
                    .isFalse();
              }
            });
  }

  @ParameterizedTest
  @MethodSource("cases")
  void singlesFollowTheConditionalToo(Case test) {
    try (FlowModel model = Zoo.wild(test.architecture)) {
      ConditionalSampler.Sampled sampled =
          new ConditionalSampler(model)
              .sample(
                  ROWS,
                  test.given,
                  8,
                  SamplingOptions.DEFAULTS.withPrecision(Precision.FLOAT32),
                  ProgressListener.IGNORED);
      assertThat(sampled.exact()).isEqualTo(test.exact);
      double[] wanted = conditional(model, test.given);
      assertThat(ChiSquare.of(sampled.rows(), SPACE.enumerate(), wanted).pValue())
          .isGreaterThan(ChiSquare.ACCEPTED);
    }
  }

  /** Rows asked for, not those that were sampled on the way. */
  @ParameterizedTest
  @MethodSource("cases")
  void progressIsInRows(Case test) {
    try (FlowModel model = Zoo.wild(test.architecture)) {
      List<Long> done = new ArrayList<>();
      int[][] rows =
          new ConditionalSampler(model)
              .sample(
                  9000,
                  test.given,
                  5,
                  SamplingOptions.DEFAULTS,
                  (count, total) -> {
                    assertThat(total).isEqualTo(9000);
                    done.add(count);
                  })
              .rows();
      assertThat(rows).hasNumberOfRows(9000);
      assertThat(done).hasSizeGreaterThan(1).isSorted().endsWith(9000L);
      assertThat(sample(model, 9000, test.given, 5).rows()).isDeepEqualTo(rows);
    }
  }

  /** Where rows are sampled under a constraint, no value moves to the host or from it meanwhile. */
  @ParameterizedTest
  @MethodSource("cases")
  void constrainedSamplingCanBeCaptured(Case test) {
    RefusedCaptures captures = new RefusedCaptures();
    try (FlowModel model = Zoo.wild(test.architecture);
        Engine engine = Engines.capturing(test.architecture, Models.weights(model), captures)) {
      var sampler = new ConditionalSampler(test.architecture, engine);
      for (int time = 0; time < 2; time++) {
        assertThat(
                sampler
                    .sample(9, test.given, 5, SamplingOptions.DEFAULTS, ProgressListener.IGNORED)
                    .rows())
            .isDeepEqualTo(sample(model, 9, test.given, 5).rows());
      }
      assertThat(captures.takeReasons()).isEmpty();
      assertThat(captures.takeCaptured()).isEqualTo(1);
    }
  }

  @Test
  void nothingGivenIsAPlainSampleAndNoRowsAreNone() {
    try (FlowModel model = Zoo.wild(PAIRS)) {
      ConditionalSampler.Sampled sampled = sample(model, 50, Map.of(), 4);
      assertThat(sampled.rows()).isDeepEqualTo(model.sample(50, 4));
      assertThat(sampled.exact()).isTrue();
      cases().forEach(test -> assertThat(sample(model, 0, test.given, 4).rows()).isEmpty());
    }
  }

  @Test
  void givesUpOnWhatIsTooRare() {
    try (FlowModel model = Zoo.wild(SORTED)) {
      assertThatThrownBy(() -> sample(model, (1 << 20) + 1, Map.of(0, 1), 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageMatching(
              "of 1048576 rows sampled, only \\d+ agree with what is given;"
                  + " an autoregressive model samples them directly");
    }
  }
}
