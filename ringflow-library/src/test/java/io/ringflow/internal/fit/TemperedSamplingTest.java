package io.ringflow.internal.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.engine.Engine;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.Engines;
import io.ringflow.internal.graph.RefusedCaptures;
import io.ringflow.internal.logits.Categorical;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Reorder;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.ChiSquare;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Zoo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * At a temperature, rows follow the product of the tempered conditionals, which is enumerated from
 * the probabilities of all rows.
 */
@ExtendWith(LeakCheck.class)
final class TemperedSamplingTest {
  private static final int ROWS = 100_000;
  private static final Space SPACE = Space.of(2, 3, 2, 3);
  private static final Made NETWORK = new Made(12, 1);

  private static final Architecture SINGLY =
      Architecture.of(SPACE, new AutoregressiveBase(Order.of(2, 0, 3, 1), NETWORK));

  /** Pairs of columns as one symbol each. */
  private static final Architecture PAIRS =
      new Architecture(
          SPACE,
          Space.NONE,
          new GroupBase(Groups.singles(Order.natural(2)), NETWORK),
          List.of(new Pack(2), new Reorder(Order.of(2, 0, 3, 1))));

  private static final Architecture GROUPED =
      Architecture.of(SPACE, new GroupBase(Groups.cut(Order.of(3, 0, 1, 2), 2, 2), NETWORK));

  private static final Architecture SORTED =
      Architecture.of(SPACE, new AutoregressiveBase(Order.natural(4), NETWORK))
          .with(new Bipartite(Mask.odd(4), NETWORK, new Permute()));

  /**
   * A model at a temperature.
   *
   * @param condition of all rows; empty for none
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Case(String name, Architecture architecture, int[] condition, double temperature) {
    int[][] conditions(int rows) {
      return condition.length == 0
          ? Engine.UNCONDITIONAL
          : IntStream.range(0, rows).mapToObj(i -> condition).toArray(int[][]::new);
    }

    SamplingOptions options() {
      return SamplingOptions.DEFAULTS.withTemperature(temperature);
    }

    @Override
    public String toString() {
      return name + " at " + temperature;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("singly", SINGLY, new int[0], 0.6),
        new Case("singly", SINGLY, new int[0], 1.7),
        new Case("pairs", PAIRS, new int[0], 0.6),
        new Case("grouped", GROUPED, new int[0], 0.6),
        new Case("sorted", SORTED, new int[0], 0.6),
        new Case("conditional", GROUPED.condition(Space.of(3)), new int[] {2}, 1.7));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void rowsFollowTheTemperedConditionals(Case test) {
    try (FlowModel model = mild(test.architecture)) {
      int[][] rows = SPACE.enumerate();
      double[] joint = joint(model, test);
      double[] wanted = tempered(model, test, joint);
      assertThat(Arrays.stream(wanted).sum()).isCloseTo(1, within(1e-12));
      int[][] sampled =
          test.condition.length == 0
              ? model.sample(ROWS, 4, test.options(), ProgressListener.IGNORED)
              : model.sample(test.conditions(ROWS), 4, test.options(), ProgressListener.IGNORED);
      assertThat(ChiSquare.of(sampled, rows, wanted).pValue()).isGreaterThan(ChiSquare.ACCEPTED);
      assertThat(ChiSquare.of(sampled, rows, joint).pValue()).isLessThan(ChiSquare.REJECTED);
      // Nor are they rows of the joint distribution's power.
      assertThat(ChiSquare.of(sampled, rows, powers(joint, test.temperature)).pValue())
          .isLessThan(ChiSquare.REJECTED);
    }
  }

  @Test
  void conditionalsArePowersOverTheirSum() {
    double[] p = {0.5, 0.25, 0.125, 0.125, 1, 0, 0, 0};
    double[] logs = Arrays.stream(p).map(Math::log).toArray();
    double[] squares = {32 / 44.0, 8 / 44.0, 2 / 44.0, 2 / 44.0, 1, 0, 0, 0};
    try (Scope scope = Scope.inference()) {
      for (Precision precision : List.of(Precision.FLOAT32, Precision.FLOAT64)) {
        Tensor logProbs = Tensors.reals(logs, precision, Device.CPU, 1, 2, 4);
        Tensor half = Tensors.reals(new double[] {0.5}, Precision.FLOAT64, Device.CPU, 1);
        double[] tempered = Tensors.toDoubles(Categorical.tempered(logProbs, half));
        double[] found = Arrays.stream(tempered).map(Math::exp).toArray();
        double rounding = precision == Precision.FLOAT32 ? 1e-6 : 1e-15;
        assertThat(found).containsExactly(squares, within(rounding));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void givenColumnsConditionTheTemperedDistribution(Case test) {
    if (test.condition.length > 0) {
      return; // nothing else can be given
    }
    Map<Integer, Integer> given = Map.of(1, 2);
    int[][] rows = SPACE.enumerate();
    try (FlowModel model = mild(test.architecture)) {
      double[] wanted = tempered(model, test, joint(model, test));
      Arrays.setAll(wanted, i -> rows[i][1] == 2 ? wanted[i] : 0);
      double sum = Arrays.stream(wanted).sum();
      Arrays.setAll(wanted, i -> wanted[i] / sum);
      int[][] sampled =
          new ConditionalSampler(model)
              .sample(2500, given, 4, test.options(), ProgressListener.IGNORED)
              .rows();
      assertThat(ChiSquare.of(sampled, rows, wanted).pValue()).isGreaterThan(ChiSquare.ACCEPTED);
      if (!test.architecture.movesSymbols()) {
        assertThat(ChiSquare.of(constrained(model, test), rows, wanted).pValue())
            .isGreaterThan(ChiSquare.ACCEPTED);
      }
    }
  }

  /** The same by beginnings that are enumerated. */
  private static int[][] constrained(FlowModel model, Case test) {
    double[] only = new double[SPACE.cardinality(1)];
    only[2] = 1;
    ConditionalSampler.Sampled sampled =
        new ConstrainedSampler(
                new Conditionals(EngineAccess.of(model)),
                test.architecture.positions(),
                () -> {
                  throw new IllegalStateException("nothing is to be estimated");
                },
                1 << 16)
            .sample(2500, Map.of(1, only), 4, test.options(), ProgressListener.IGNORED);
    assertThat(sampled.exact()).isTrue();
    return sampled.rows();
  }

  /** A model whose logits are of order one, so that no symbol is as good as certain. */
  private static FlowModel mild(Architecture architecture) {
    FlowModel model = Zoo.wild(architecture);
    Models.engine(model).change(weights -> weights.values().mul_(new Scalar(0.4)));
    return model;
  }

  private static double[] joint(FlowModel model, Case test) {
    int[][] rows = SPACE.enumerate();
    return Arrays.stream(model.logProb(rows, test.conditions(rows.length)))
        .map(Math::exp)
        .toArray();
  }

  /**
   * The product of tempered conditionals: of each base position given those of earlier passes, from
   * sums over all rows.
   */
  private static double[] tempered(FlowModel model, Case test, double[] joint) {
    int[][] rows = SPACE.enumerate();
    int[][] base = model.encode(rows, test.conditions(rows.length));
    double[] product = new double[rows.length];
    Arrays.fill(product, 1);
    List<Integer> before = new ArrayList<>();
    for (List<Integer> group : Models.base(model).groups().groups()) {
      for (int position : group) {
        Map<List<Integer>, Map<Integer, Double>> sums = new HashMap<>();
        for (int i = 0; i < rows.length; i++) {
          sums.computeIfAbsent(symbols(base[i], before), key -> new HashMap<>())
              .merge(base[i][position], joint[i], Double::sum);
        }
        for (int i = 0; i < rows.length; i++) {
          Map<Integer, Double> here = sums.get(symbols(base[i], before));
          double own = here.get(base[i][position]);
          product[i] *=
              1
                  / here.values().stream()
                      .mapToDouble(sum -> Math.pow(sum / own, 1 / test.temperature))
                      .sum();
        }
      }
      before.addAll(group);
    }
    return product;
  }

  private static List<Integer> symbols(int[] row, List<Integer> positions) {
    return positions.stream().map(position -> row[position]).toList();
  }

  private static double[] powers(double[] joint, double temperature) {
    double[] powers = Arrays.stream(joint).map(p -> Math.pow(p, 1 / temperature)).toArray();
    double sum = Arrays.stream(powers).sum();
    return Arrays.stream(powers).map(p -> p / sum).toArray();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void oneIsTheModelItself(Case test) {
    try (FlowModel model = mild(test.architecture)) {
      SamplingOptions one = test.options().withTemperature(1);
      if (test.condition.length > 0) {
        int[][] conditions = test.conditions(300);
        assertThat(model.sample(conditions, 4, one, ProgressListener.IGNORED))
            .isDeepEqualTo(model.sample(conditions, 4));
      } else {
        assertThat(model.sample(300, 4, one, ProgressListener.IGNORED))
            .isDeepEqualTo(model.sample(300, 4));
      }
    }
  }

  /** At the lowest all rows are the one of likeliest symbols, at the highest any may come. */
  @ParameterizedTest
  @ValueSource(strings = {"FLOAT32", "FLOAT64"})
  void thereIsNoTemperatureTooLowOrTooHigh(Precision precision) {
    try (FlowModel model = mild(SINGLY.condition(Space.of(2)))) {
      SamplingOptions options = SamplingOptions.DEFAULTS.withPrecision(precision);
      int[][] conditions = new int[2000][1];
      int[][] likeliest = model.greedy(conditions);
      for (double low : new double[] {Double.MIN_VALUE, 1e-300, 1e-9}) {
        assertThat(
                model.sample(conditions, 1, options.withTemperature(low), ProgressListener.IGNORED))
            .isDeepEqualTo(likeliest);
      }
      int[][] rows = SPACE.enumerate();
      double[] uniform = new double[rows.length];
      Arrays.fill(uniform, 1.0 / rows.length);
      for (double high : new double[] {1e9, Double.MAX_VALUE}) {
        int[][] sampled =
            model.sample(conditions, 1, options.withTemperature(high), ProgressListener.IGNORED);
        assertThat(ChiSquare.of(sampled, rows, uniform).pValue()).isGreaterThan(ChiSquare.ACCEPTED);
      }
    }
  }

  /** One graph serves all temperatures: each is an input. */
  @Test
  void whatIsCapturedServesAllTemperatures() {
    RefusedCaptures captures = new RefusedCaptures();
    try (FlowModel model = mild(GROUPED);
        Engine engine = Engines.capturing(GROUPED, Models.weights(model), captures)) {
      var sampler = new ConditionalSampler(GROUPED, engine);
      var plain = new ConditionalSampler(model);
      for (Map<Integer, Integer> given : List.of(Map.<Integer, Integer>of(), Map.of(3, 1))) {
        Set<String> different = new HashSet<>();
        for (double temperature : new double[] {0.5, 0.5, 3, 20}) {
          SamplingOptions options = SamplingOptions.DEFAULTS.withTemperature(temperature);
          int[][] rows = sampler.sample(90, given, 5, options, ProgressListener.IGNORED).rows();
          assertThat(rows)
              .isDeepEqualTo(plain.sample(90, given, 5, options, ProgressListener.IGNORED).rows());
          different.add(Arrays.deepToString(rows));
        }
        assertThat(different).hasSize(3);
        assertThat(captures.takeReasons()).isEmpty();
        assertThat(captures.takeCaptured()).isEqualTo(1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void otherTemperaturesAreRefused(double temperature) {
    assertThatThrownBy(() -> SamplingOptions.DEFAULTS.withTemperature(temperature))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("temperature must be above 0 and finite, but is " + temperature);
  }
}
