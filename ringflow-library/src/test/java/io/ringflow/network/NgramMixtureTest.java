package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.core.WeightedRows;
import io.ringflow.internal.engine.Weights;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Counts;
import io.ringflow.spi.Dropout;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.GradientEstimator;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.NgramZoo;
import io.ringflow.testing.Zoo;
import io.ringflow.train.Estimators;
import io.ringflow.train.WarmStart;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Counted n-grams are what plain Java counts, and leave out what they are to predict. */
@ExtendWith(LeakCheck.class)
final class NgramMixtureTest {
  static final int SYMBOLS = 3;
  static final int LENGTH = 7;
  private static final Space SPACE = Space.uniform(LENGTH, SYMBOLS);

  /** An estimator like a training's, which these bases never ask. */
  private static final GradientEstimator TRAINING = (map, data, positions, logits, context) -> data;

  /** Counts alone: a network that sees nothing. */
  static NgramMixture alone(int order, int contexts) {
    return new NgramMixture(new LookupTable(0).sharingRows(), order, contexts);
  }

  static int[][] rows(long seed, int count) {
    var random = new SplittableRandom(seed);
    int[][] rows = new int[count][LENGTH];
    for (int[] row : rows) {
      Arrays.setAll(row, i -> Math.min(random.nextInt(SYMBOLS), random.nextInt(SYMBOLS)));
    }
    return rows;
  }

  /** Groups, an order, room for contexts, and what stands between words. */
  record Case(Groups groups, int order, int contexts, List<Integer> separators) {
    Case(Groups groups, int order, int contexts) {
      this(groups, order, contexts, List.of());
    }

    NgramMixture sizes() {
      return alone(order, contexts).withWords(separators);
    }
  }

  static Stream<Case> cases() {
    Groups natural = Groups.singles(Order.natural(LENGTH));
    return Stream.of(
        new Case(natural, 0, 5),
        new Case(natural, 3, 1000),
        new Case(natural, 3, 17), // only the most frequent
        new Case(natural, 5, 1000),
        new Case(Groups.singles(Order.reversed(LENGTH)), 2, 1000),
        new Case(Groups.growing(LENGTH, 3), 3, 1000),
        new Case(Groups.midpoints(LENGTH), 2, 21),
        new Case(Groups.blocks(LENGTH, 3), 2, 1000),
        new Case(natural, 2, 1000, List.of(0)),
        new Case(natural, 0, 1000, List.of(1, 2)),
        new Case(natural, 4, 40, List.of(0)),
        new Case(Groups.singles(Order.reversed(LENGTH)), 1, 1000, List.of(0)),
        new Case(Groups.growing(LENGTH, 3), 3, 1000, List.of(0)),
        new Case(Groups.midpoints(LENGTH), 1, 60, List.of(0, 1, 2)),
        new Case(Groups.blocks(LENGTH, 4), 2, 1000, List.of(0)));
  }

  /** Logits of rows by the library, {@code [row][position][symbol]}, positions as in the data. */
  private static double[][][] logits(
      CausalConditioner conditioner, Weights weights, Groups groups, int[][] rows, boolean train) {
    try (Scope scope = Scope.inference()) {
      EvaluationContext context = context(weights, train);
      Tensor ids =
          Tensors.ids(rows, LENGTH, Device.CPU)
              .index_select(1, Tensors.longs(positions(groups), Device.CPU, LENGTH));
      double[] flat = Tensors.toDoubles(conditioner.logits(Symbols.of(ids), context).flatten());
      double[][][] logits = new double[rows.length][LENGTH][SYMBOLS];
      for (int i = 0; i < flat.length; i++) {
        int position = groups.order().positions().get(i / SYMBOLS % LENGTH);
        logits[i / SYMBOLS / LENGTH][position][i % SYMBOLS] = flat[i];
      }
      return logits;
    }
  }

  static EvaluationContext context(Weights weights, boolean train) {
    return new EvaluationContext(
        weights, Condition.NONE, Dropout.NONE, train ? TRAINING : GradientEstimator.NONE);
  }

  private static long[] positions(Groups groups) {
    return groups.order().positions().stream().mapToLong(Integer::longValue).toArray();
  }

  private static void count(
      CausalConditioner conditioner, Groups groups, int[][] rows, Weights to) {
    Counts counts = conditioner.counts().orElseThrow().in(groups.order());
    counts.add(WeightedRows.once(Arrays.copyOf(rows, rows.length / 3), new int[0][]));
    counts.add(
        WeightedRows.once(Arrays.copyOfRange(rows, rows.length / 3, rows.length), new int[0][]));
    try (Scope scope = Scope.inference()) {
      counts.write(to);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theyAreWhatPlainJavaCounts(Case test) {
    int[][] counted = rows(1, 60);
    int[][] others = rows(2, 20);
    CausalConditioner conditioner = test.sizes().causal(SPACE, test.groups, Space.NONE, SYMBOLS);
    try (Weights start = Zoo.wild(conditioner)) {
      count(conditioner, test.groups, counted, start);
      try (Weights weights = start.copyIn(Precision.FLOAT64)) {
        PlainNgrams plain = new PlainNgrams(counted, SYMBOLS, test.sizes(), test.groups, weights);
        assertSame(logits(conditioner, weights, test.groups, others, false), others, plain, false);
        assertSame(logits(conditioner, weights, test.groups, counted, true), counted, plain, true);
      }
    }
  }

  private static void assertSame(
      double[][][] logits, int[][] rows, PlainNgrams plain, boolean train) {
    for (int i = 0; i < rows.length; i++) {
      for (int position = 0; position < LENGTH; position++) {
        assertThat(logits[i][position])
            .as("row %d, position %d", i, position)
            .containsExactly(plain.logits(rows[i], position, train), within(1e-9));
      }
    }
  }

  /** Else half of the cases above would not test what follows a position. */
  @Test
  void bothSidesAreCountedWhereGroupsKnowThem() {
    for (Case test : cases().toList()) {
      CausalConditioner conditioner = test.sizes().causal(SPACE, test.groups, Space.NONE, SYMBOLS);
      try (Weights weights = Zoo.wild(conditioner)) {
        boolean leftToRight = test.groups.order().equals(Order.natural(LENGTH));
        assertThat(weights.statistics()).hasSize(leftToRight ? 2 : 4);
      }
    }
  }

  /** One group after the other is what all are at once, bit for bit where networks allow it. */
  @ParameterizedTest
  @MethodSource("cases")
  void groupAfterGroupTheyAreTheSame(Case test) {
    CausalConditioner conditioner = test.sizes().causal(SPACE, test.groups, Space.NONE, SYMBOLS);
    int[][] rows = rows(3, 6);
    try (Weights start = Zoo.wild(conditioner)) {
      count(conditioner, test.groups, rows(1, 60), start);
      try (Weights weights = start.copyIn(Precision.FLOAT64);
          Scope scope = Scope.inference()) {
        EvaluationContext context = context(weights, false);
        Tensor ids =
            Tensors.ids(rows, LENGTH, Device.CPU)
                .index_select(1, Tensors.longs(positions(test.groups), Device.CPU, LENGTH));
        Tensor all = conditioner.logits(Symbols.of(ids), context);
        IncrementalDecoder decoder = conditioner.decoder(rows.length, context);
        int[] starts = test.groups.starts();
        for (int group = 0; group < test.groups.count(); group++) {
          int from = starts[group];
          int count = starts[group + 1] - from;
          assertThat(Tensors.toDoubles(decoder.logits().contiguous()))
              .containsExactly(
                  Tensors.toDoubles(all.narrow(1, from, count).contiguous()), within(1e-12));
          decoder.append(ids.narrow(1, from, count));
        }
      }
    }
  }

  /** Counts too large for 16 bits are shifted: as good as exact, and rare symbols stay seen. */
  @Test
  void manyOccurrencesFit() {
    int[][] rows = new int[20_000][LENGTH]; // zeros
    rows[7][3] = 1;
    rows[8][3] = 1;
    CausalConditioner conditioner =
        alone(1, 10).causal(SPACE, Order.natural(LENGTH), Space.NONE, SYMBOLS);
    Groups natural = Groups.singles(Order.natural(LENGTH));
    try (Weights start = Zoo.wild(conditioner)) {
      count(conditioner, natural, rows, start);
      try (Weights weights = start.copyIn(Precision.FLOAT64)) {
        PlainNgrams plain = new PlainNgrams(rows, SYMBOLS, alone(1, 10), natural, weights);
        double[] found = logits(conditioner, weights, natural, new int[1][LENGTH], false)[0][5];
        double[] wanted = plain.logits(new int[LENGTH], 5, false);
        double all = found[0] - found[2];
        assertThat(all).isCloseTo(wanted[0] - wanted[2], within(Math.abs(all) * 0.2));
        assertThat(found[1]).isNotEqualTo(found[2]);
      }
    }
  }

  static Stream<Zoo.Specimen> specimens() {
    return NgramZoo.all();
  }

  @ParameterizedTest
  @MethodSource("specimens")
  void everyParameterGetsAGradient(Zoo.Specimen specimen) {
    Architecture architecture = specimen.architecture();
    int[][] rows = architecture.space().enumerate();
    int[][] choices = architecture.condition().enumerate();
    int[][] conditions = new int[rows.length][];
    Arrays.setAll(conditions, i -> choices[i % choices.length]);
    try (FlowModel model = Zoo.wild(architecture);
        Scope scope = Scope.training()) {
      Weights weights = Models.weights(model);
      weights.trackGradients();
      EvaluationContext context =
          Estimators.straightThrough(
              weights, Zoo.condition(architecture.condition(), conditions), 1.0);
      Tensor ids = Tensors.ids(rows, architecture.space().size(), Device.CPU);
      int width = architecture.space().maxCardinality();
      Models.logProb(model, Symbols.withOneHot(ids, width), context).sum().backward();
      weights
          .parameters()
          .forEach(
              (name, parameter) ->
                  assertThat(
                          Arrays.stream(Tensors.toDoubles(weights.get(parameter).grad())).boxed())
                      .as(name)
                      .anyMatch(value -> value != 0)
                      .allMatch(Double::isFinite));
    }
  }

  /** A text that repeats itself is predicted at once, and so is a new one like it. */
  @Test
  void aTextIsKnownByCountingAlone() {
    Space space = Space.uniform(20, 5);
    Architecture architecture =
        Architecture.of(space, new AutoregressiveBase(Order.natural(20), alone(4, 5000)));
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      double before = mean(model.logProb(cycles(3, 50)));
      WarmStart.fitBase(model, cycles(1, 400));
      assertThat(before).isCloseTo(-20 * Math.log(5), within(2.0));
      // The first symbol is uniform; each later one is the likely one in 19 of 20 cases.
      assertThat(mean(model.logProb(cycles(3, 50)))).isGreaterThan(-10);
    }
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  static int[][] cycles(long seed, int count) {
    var random = new SplittableRandom(seed);
    int[][] rows = new int[count][20];
    for (int[] row : rows) {
      row[0] = random.nextInt(5);
      for (int i = 1; i < row.length; i++) {
        row[i] = (row[i - 1] + (random.nextInt(20) == 0 ? 2 : 1)) % 5;
      }
    }
    return rows;
  }

  @Test
  void asMuchOfATextAsMemoryHolds() {
    assertThat(NgramMixture.of(new Made(4, 1), 27, 1000)).isEqualTo(mixture(8, 1000));
    assertThat(NgramMixture.of(new Made(4, 1), 27, 9_000_000)).isEqualTo(mixture(8, 4793490));
    assertThat(NgramMixture.of(new Made(4, 1), 27, 12_000_000)).isEqualTo(mixture(8, 6_000_000));
    assertThat(NgramMixture.of(new Made(4, 1), 27, 1_000_000_000)).isEqualTo(mixture(8, 9586980));
    assertThat(NgramMixture.of(new Made(4, 1), 256, 1000)).isEqualTo(mixture(6, 1000));
    assertThat(NgramMixture.of(new Made(4, 1), 60_000, 0)).isEqualTo(mixture(2, 1));
  }

  private static NgramMixture mixture(int order, int contexts) {
    return new NgramMixture(new Made(4, 1), order, contexts);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 27, 256, 5000, 65536})
  void theLongestKeysFit(int symbols) {
    double order = NgramTable.maxOrder(symbols);
    assertThat(order * Math.log(symbols + 1) + Math.log(symbols)).isLessThan(63 * Math.log(2));
    assertThat((order + 1) * Math.log(symbols + 1) + Math.log(symbols))
        .isGreaterThan(62.99 * Math.log(2));
  }

  @Test
  void whatCannotBeCountedIsRefused() {
    Order natural = Order.natural(LENGTH);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> alone(2, 9).withWords(List.of(1, 1)))
        .withMessage("separators must be ascending and at least 0, but are [1, 1]");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> alone(2, 9).withWords(List.of(3)).causal(SPACE, natural, Space.NONE, SYMBOLS))
        .withMessage("separators are symbols below 3, but one is 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> alone(2, 9).bipartite(SPACE, Mask.even(LENGTH), Space.NONE, SYMBOLS))
        .withMessage(
            "a mixture with n-grams predicts the symbols of a base: in a layer, use its network"
                + " alone");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> alone(2, 9).causal(Space.of(2, 3), Order.natural(2), Space.NONE, 3))
        .withMessageStartingWith("n-grams need one alphabet for all positions, but the space is");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> alone(2, 9).causal(SPACE, natural, Space.NONE, 5))
        .withMessage("n-grams predict the 3 symbols of a position, and can't make 5 logits of it");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> alone(40, 9).causal(SPACE, natural, Space.NONE, SYMBOLS))
        .withMessage("contexts of 3 symbols can have 30 of them at most, but order is 40");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NgramMixture(new Made(4, 1), -1, 9))
        .withMessageContaining("order");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NgramMixture(new Made(4, 1), 1, 0))
        .withMessageContaining("contexts");
    Counts counts = alone(2, 9).causal(SPACE, natural, Space.NONE, SYMBOLS).counts().orElseThrow();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> counts.add(WeightedRows.of(rows(1, 1), new double[] {0.5})))
        .withMessage("n-grams are counted in rows that count once, but one counts 0.5");
  }
}
