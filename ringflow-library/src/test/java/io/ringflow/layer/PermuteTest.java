package io.ringflow.layer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.spi.BoundMap;
import io.ringflow.spi.Condition;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.util.Arrays;
import java.util.Collections;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sorting by logits that are given, not computed: what a network hardly ever says is here the rule.
 *
 * <p>Every symbol of every row is moved, in either direction and both precisions.
 */
@ExtendWith(LeakCheck.class)
final class PermuteTest {
  private static final Precision[] PRECISIONS = {Precision.FLOAT32, Precision.FLOAT64};

  static Stream<Arguments> spaces() {
    return StraightThroughTest.spaces()
        .flatMap(space -> Arrays.stream(PRECISIONS).map(bits -> Arguments.of(space, bits)));
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void equalLogitsMoveNothing(Space space, Precision precision) {
    int[] identity = IntStream.range(0, space.maxCardinality()).toArray();
    for (double value : new double[] {0, -0.0, 1, -3.5, 1e30, Double.NEGATIVE_INFINITY}) {
      double[] logits = new double[space.maxCardinality()];
      Arrays.fill(logits, value);
      for (int d = 0; d < space.size(); d++) {
        int[] own = Arrays.copyOf(identity, space.cardinality(d));
        assertThat(ranks(logits, space, d, precision)).containsExactly(own);
        assertThat(symbols(logits, space, d, precision)).containsExactly(own);
      }
    }
  }

  static Stream<Precision> precisions() {
    return Stream.of(PRECISIONS);
  }

  /** Every way to give five symbols one of four logits, of which two are zeros of either sign. */
  @ParameterizedTest
  @MethodSource("precisions")
  void tiesAreDecidedForTheLowestId(Precision precision) {
    double[] values = {-1, -0.0, 0.0, 1};
    for (int k = 1; k <= 5; k++) {
      int[][] choices = Space.uniform(k, values.length).enumerate();
      double[][] logits =
          Arrays.stream(choices)
              .map(row -> Arrays.stream(row).mapToDouble(choice -> values[choice]).toArray())
              .toArray(double[][]::new);
      assertSorts(logits, precision);
    }
  }

  /** Enough symbols for a library to sort them in another way, and to leave equal ones unstable. */
  @ParameterizedTest
  @MethodSource("precisions")
  void manySymbolsWithManyTiesAreSortedToo(Precision precision) {
    var random = new SplittableRandom(4);
    for (int k : new int[] {16, 17, 27, 64, 257, 1000}) {
      for (int different : new int[] {1, 2, 5, k}) {
        double[][] logits = new double[1 + 200 / k][k];
        for (double[] row : logits) {
          Arrays.setAll(row, i -> (random.nextInt(different) - different / 2) * 0.25);
        }
        assertSorts(logits, precision);
      }
    }
  }

  /** Neighbouring numbers, numbers that are hardly there, and what is beyond all numbers. */
  @ParameterizedTest
  @MethodSource("precisions")
  void theSmallestDifferenceCounts(Precision precision) {
    boolean wide = precision == Precision.FLOAT64;
    double above = wide ? Math.nextUp(1.0) : Math.nextUp(1f);
    double tiny = wide ? Double.MIN_VALUE : Float.MIN_VALUE;
    double infinity = Double.POSITIVE_INFINITY;
    assertSorts(
        new double[][] {
          {1, above, 1, above, -above, -1},
          {0.0, tiny, -tiny, -0.0, tiny, 0.0},
          {-infinity, 0, infinity, -infinity, infinity, -1e30}
        },
        precision);
  }

  /** Whatever the network says, no symbol may be lost: what is no number goes last. */
  @ParameterizedTest
  @MethodSource("precisions")
  void whatIsNoNumberGoesLast(Precision precision) {
    double[] values = {Double.NaN, Double.NEGATIVE_INFINITY, 0, 2};
    int[][] choices = Space.uniform(4, values.length).enumerate();
    double[][] logits = new double[choices.length][];
    double[][] meant = new double[choices.length][];
    for (int i = 0; i < choices.length; i++) {
      logits[i] = Arrays.stream(choices[i]).mapToDouble(choice -> values[choice]).toArray();
      meant[i] =
          Arrays.stream(logits[i])
              .map(value -> Double.isNaN(value) ? Double.NEGATIVE_INFINITY : value)
              .toArray();
    }
    assertSorts(logits, meant, precision);
  }

  private static void assertSorts(double[][] logits, Precision precision) {
    assertSorts(logits, logits, precision);
  }

  /**
   * Moves every symbol of every row, and holds it against ranks that are counted.
   *
   * @param logits of one position each
   * @param meant the numbers they are to be sorted as
   */
  private static void assertSorts(double[][] logits, double[][] meant, Precision precision) {
    int k = logits[0].length;
    int[][] wanted = new int[logits.length][k];
    for (int i = 0; i < logits.length; i++) {
      for (int symbol = 0; symbol < k; symbol++) {
        for (int other = 0; other < k; other++) {
          boolean equalAndLower = meant[i][other] == meant[i][symbol] && other < symbol;
          wanted[i][symbol] += meant[i][other] > meant[i][symbol] || equalAndLower ? 1 : 0;
        }
      }
    }
    Space space = Space.uniform(1, k);
    BoundMap moves = new Permute().on(space, k);
    try (Weights weights = weights(moves, precision);
        Scope scope = Scope.inference()) {
      EvaluationContext context = new EvaluationContext(weights, Condition.NONE);
      // Symbol after symbol of each row: rows [rows * k, 1], logits [rows * k, 1, k].
      int[][] every = new int[logits.length * k][];
      Arrays.setAll(every, i -> new int[] {i % k});
      Tensor ids = Tensors.ids(every, 1, Device.CPU);
      double[] flat =
          Arrays.stream(logits)
              .flatMap(row -> Collections.nCopies(k, row).stream())
              .flatMapToDouble(Arrays::stream)
              .toArray();
      Tensor repeated = Tensors.reals(flat, precision, Device.CPU, every.length, 1, k);
      Tensor ranks = moves.inverse(ids, repeated, context).ids();
      assertThat(Tensors.toRows(ranks.view(-1, k))).isDeepEqualTo(wanted);
      assertThat(moves.forward(ranks, repeated, 0, context).equal(ids)).isTrue();
      Tensor symbols = moves.forward(ids, repeated, 0, context);
      assertThat(moves.inverse(symbols, repeated, context).ids().equal(ids)).isTrue();
    }
  }

  /** The rank of each symbol that a position has. */
  private static int[] ranks(double[] logits, Space space, int position, Precision precision) {
    return moved(logits, space, position, precision, true);
  }

  /** The symbol of each rank that a position has. */
  private static int[] symbols(double[] logits, Space space, int position, Precision precision) {
    return moved(logits, space, position, precision, false);
  }

  private static int[] moved(
      double[] logits, Space space, int position, Precision precision, boolean toBase) {
    BoundMap moves = new Permute().on(space, space.maxCardinality());
    int k = space.cardinality(position);
    try (Weights weights = weights(moves, precision);
        Scope scope = Scope.inference()) {
      EvaluationContext context = new EvaluationContext(weights, Condition.NONE);
      int[][] rows = new int[k][space.size()];
      for (int symbol = 0; symbol < k; symbol++) {
        rows[symbol][position] = symbol;
      }
      Tensor ids = Tensors.ids(rows, space.size(), Device.CPU);
      Tensor alike =
          Tensors.reals(logits, precision, Device.CPU, 1, 1, logits.length)
              .expand(k, space.size(), -1);
      Tensor moved =
          toBase
              ? moves.inverse(ids, alike, context).ids()
              // As an autoregressive layer asks: for one position in the middle of others.
              : moves.forward(
                  ids.narrow(1, position, 1), alike.narrow(1, position, 1), position, context);
      int column = toBase ? position : 0;
      return Arrays.stream(Tensors.toRows(moved)).mapToInt(row -> row[column]).toArray();
    }
  }

  private static Weights weights(Module part, Precision precision) {
    try (Weights start = Zoo.wild(part)) {
      return start.copyIn(precision);
    }
  }

  @Test
  void aRankIsTheNumberOfLikelierSymbols() {
    double[] logits = {0.5, 2, -1, 2};
    Space space = Space.uniform(1, 4);
    assertThat(ranks(logits, space, 0, Precision.FLOAT64)).containsExactly(2, 0, 3, 1);
    assertThat(symbols(logits, space, 0, Precision.FLOAT64)).containsExactly(1, 3, 0, 2);
  }
}
