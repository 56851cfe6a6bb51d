package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Device;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.spi.Conditioner;
import io.ringflow.spi.Dropout;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import io.ringflow.train.Estimators;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Dropout by itself, and in every network. */
@ExtendWith(LeakCheck.class)
final class DropoutTest {
  private static final int ROWS = 40;
  private static final int LENGTH = 3;
  private static final int UNITS = 50;

  /** Dropout on ones, by row, position and unit. */
  private static double[][][] onOnes(Dropout dropout) {
    return onOnes(dropout::on);
  }

  private static double[][][] onOnes(UnaryOperator<Tensor> dropout) {
    double[] ones = new double[ROWS * LENGTH * UNITS];
    Arrays.fill(ones, 1);
    try (Scope scope = Scope.inference()) {
      Tensor vectors = Tensors.reals(ones, Precision.FLOAT64, Device.CPU, ROWS, LENGTH, UNITS);
      double[] flat = Tensors.toDoubles(dropout.apply(vectors));
      double[][][] result = new double[ROWS][LENGTH][];
      for (int i = 0; i < ROWS * LENGTH; i++) {
        result[i / LENGTH][i % LENGTH] = Arrays.copyOfRange(flat, i * UNITS, (i + 1) * UNITS);
      }
      return result;
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.5, 0.9})
  void unitsAreDroppedAtAllPositionsOrNoneAndTheRestIsScaledUp(double share) {
    double[][][] masks = onOnes(new Dropout(share, 11));
    List<double[]> different = new ArrayList<>();
    double dropped = 0;
    for (double[][] row : masks) {
      for (double[] position : row) {
        assertThat(position).containsExactly(row[0]);
      }
      for (double unit : row[0]) {
        assertThat(unit).isIn(0.0, 1 / (1 - share));
        dropped += unit == 0 ? 1 : 0;
      }
      if (different.stream().noneMatch(other -> Arrays.equals(other, row[0]))) {
        different.add(row[0]);
      }
    }
    // Four standard deviations of 2,000 samples.
    double deviation = Math.sqrt(share * (1 - share) / (ROWS * UNITS));
    assertThat(dropped / (ROWS * UNITS)).isCloseTo(share, within(4 * deviation));
    assertThat(different).as("masks of rows").hasSizeGreaterThan(ROWS / 2);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.5, 0.9})
  void symbolsAreHiddenWholeAndTheRestStayAsTheyAre(double share) {
    double[][][] masks = onOnes(new Dropout(0.4, 11).hiding(share)::onSymbols);
    double hidden = 0;
    for (double[][] row : masks) {
      for (double[] position : row) {
        assertThat(position).containsOnly(position[0]);
        assertThat(position[0]).isIn(0.0, 1.0);
        hidden += 1 - position[0];
      }
    }
    // Four standard deviations of 120 samples.
    double deviation = Math.sqrt(share * (1 - share) / (ROWS * LENGTH));
    assertThat(hidden / (ROWS * LENGTH)).isCloseTo(share, within(4 * deviation));
  }

  @Test
  void rowsOfABatchHideWhatTheyDoWithinIt() {
    double[][][] whole = onOnes(new Dropout(0, 11).hiding(0.4)::onSymbols);
    double[][][] later = onOnes(new Dropout(0, 11, 10).hiding(0.4)::onSymbols);
    assertThat(Arrays.copyOf(later, ROWS - 10)).isDeepEqualTo(Arrays.copyOfRange(whole, 10, ROWS));
    double[][][] ofAnotherSeed = onOnes(new Dropout(0, 12).hiding(0.4)::onSymbols);
    assertThat(Arrays.deepEquals(ofAnotherSeed, whole)).isFalse();
  }

  @Test
  void theMaskFollowsFromTheSeedAndTheOrderOfCalls() {
    Dropout one = new Dropout(0.4, 11);
    Dropout same = new Dropout(0.4, 11);
    double[][][] first = onOnes(one);
    double[][][] second = onOnes(one);
    assertThat(onOnes(same)).isDeepEqualTo(first);
    assertThat(onOnes(same)).isDeepEqualTo(second);
    assertThat(Arrays.deepEquals(first, second)).isFalse();
    assertThat(Arrays.deepEquals(first, onOnes(new Dropout(0.4, 12)))).isFalse();
  }

  @Test
  void aShareOfZeroReturnsTheSameTensor() {
    try (Scope scope = Scope.inference()) {
      Tensor vectors = Tensors.zeros(Precision.FLOAT32, Device.CPU, 2, 3, 4);
      assertThat(new Dropout(0, 3).on(vectors)).isSameAs(vectors);
      assertThat(Dropout.NONE.on(vectors)).isSameAs(vectors);
      assertThat(new Dropout(0.1, 3).onSymbols(vectors)).isSameAs(vectors);
      assertThat(new Dropout(0, 3).hiding(0.1).on(vectors)).isSameAs(vectors);
      assertThat(Dropout.NONE.active()).isFalse();
      assertThat(new Dropout(0.1, 3).active()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1, 1.5, Double.NaN})
  void theShareIsBelowOne(double share) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Dropout(share, 1))
        .withMessage("share must be at least 0 and below 1, but is " + share);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Dropout.NONE.hiding(share))
        .withMessage("hidden must be at least 0 and below 1, but is " + share);
  }

  /** A conditioner on its spaces. */
  record Case(String name, Conditioner conditioner, Zoo.Setting setting) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> networks() {
    List<Case> found = new ArrayList<>();
    List<Network> networks =
        List.of(
            new Lstm(4, 5, 1),
            new Lstm(4, 6, 3),
            new Lstm(4, 6, 2, new Lstm.ConditionReading(2, false)),
            new Transformer(8, 2, 2, 12),
            new Made(9, 1),
            new Made(14, 2));
    for (Zoo.Setting setting :
        List.of(
            new Zoo.Setting(Space.uniform(3, 4), Space.NONE),
            new Zoo.Setting(Space.of(4, 3, 2), Space.uniform(4, 3)))) {
      Space space = setting.space();
      for (Network network : networks) {
        String name = network + " on " + setting;
        Order order = Order.reversed(space.size());
        found.add(
            new Case(
                "causal " + name, network.causal(space, order, setting.condition(), 5), setting));
        Mask mask = Mask.even(space.size());
        found.add(
            new Case(
                "bipartite " + name,
                network.bipartite(space, mask, setting.condition(), 5),
                setting));
      }
    }
    return found.stream();
  }

  @ParameterizedTest
  @MethodSource("networks")
  void aShareOfZeroDoesNotChangeTheLogits(Case test) {
    double[] plain = logits(test, Dropout.NONE);
    assertThat(logits(test, new Dropout(0, 9))).containsExactly(plain);
    // An active dropout, layer by layer, that drops nothing.
    assertThat(logits(test, new Dropout(1e-13, 9))).containsExactly(plain, within(1e-9));
  }

  @ParameterizedTest
  @MethodSource("networks")
  void dropoutChangesTheLogitsBySeed(Case test) {
    double[] one = logits(test, new Dropout(0.5, 9));
    assertThat(Arrays.stream(one).allMatch(Double::isFinite)).isTrue();
    assertThat(one).isNotEqualTo(logits(test, Dropout.NONE));
    assertThat(one).isNotEqualTo(logits(test, new Dropout(0.5, 10)));
    assertThat(logits(test, new Dropout(0.5, 9))).containsExactly(one);
  }

  static Stream<Case> networksThatHide() {
    return networks().filter(test -> !test.name.contains("Made"));
  }

  /** With all symbols hidden, what a network says depends on the condition alone. */
  @ParameterizedTest
  @MethodSource("networksThatHide")
  void aHiddenSymbolIsNotSeen(Case test) {
    Space space = test.setting.space();
    int[][] rows = distinct(space);
    int[][] others = rows.clone();
    Collections.rotate(Arrays.asList(others), 1);
    double[] one = logits(test, rows, new Dropout(0, 9).hiding(1 - 1e-12));
    assertThat(logits(test, others, new Dropout(0, 9).hiding(1 - 1e-12))).containsExactly(one);
    assertThat(logits(test, others, Dropout.NONE)).isNotEqualTo(logits(test, rows, Dropout.NONE));
    double[] some = logits(test, rows, new Dropout(0, 9).hiding(0.5));
    assertThat(some).isNotEqualTo(one).isNotEqualTo(logits(test, rows, Dropout.NONE));
  }

  private static double[] logits(Case test, Dropout dropout) {
    return logits(test, distinct(test.setting.space()), dropout);
  }

  private static int[][] distinct(Space space) {
    int[][] rows = new int[12][];
    Arrays.setAll(rows, i -> space.enumerate()[i * 5 % (int) space.cells()]);
    return rows;
  }

  private static double[] logits(Case test, int[][] rows, Dropout dropout) {
    Space space = test.setting.space();
    Space condition = test.setting.condition();
    int[][] conditions = new int[rows.length][];
    int[][] choices = condition.enumerate();
    Arrays.setAll(conditions, i -> choices[i * 7 % choices.length]);
    // As in training, where libtorch has other recurrent kernels.
    try (Weights start = Zoo.wild(test.conditioner);
        Weights weights = start.copyIn(Precision.FLOAT64);
        Scope scope = Scope.training()) {
      weights.trackGradients();
      EvaluationContext context =
          Estimators.straightThrough(weights, Zoo.condition(condition, conditions), 1, dropout);
      Symbols symbols = Symbols.of(Tensors.ids(rows, space.size(), Device.CPU));
      Tensor logits = test.conditioner.logits(symbols, context);
      logits.square().sum().backward();
      double[] gradients = Tensors.toDoubles(weights.trackGradients());
      assertThat(Arrays.stream(gradients).allMatch(Double::isFinite)).isTrue();
      return Tensors.toDoubles(logits);
    }
  }
}
