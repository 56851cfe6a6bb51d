package io.ringflow.layer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Space;
import io.ringflow.testing.Permutations;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The best assignment, against all assignments with totals in exact decimals. */
final class AssignmentTest {
  private static final int MATRICES = 40;

  private static int[] byTryingAll(double[][] weights) {
    return Permutations.best(weights.length, permutation -> total(weights, permutation));
  }

  private static BigDecimal total(double[][] weights, int[] permutation) {
    BigDecimal total = BigDecimal.ZERO;
    for (int row = 0; row < weights.length; row++) {
      total = total.add(new BigDecimal(weights[row][permutation[row]]));
    }
    return total;
  }

  private static double[][] matrix(int size, DoubleSupplier weight) {
    double[][] weights = new double[size][size];
    for (double[] row : weights) {
      Arrays.setAll(row, column -> weight.getAsDouble());
    }
    return weights;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void ofRandomWeightsItIsTheBest(int size) {
    var random = new SplittableRandom(size);
    for (int i = 0; i < MATRICES; i++) {
      double[][] weights = matrix(size, random::nextGaussian);
      assertThat(Assignment.best(weights)).containsExactly(byTryingAll(weights));
    }
  }

  /** All matrices of a few small integers, nearly all with several best assignments. */
  @ParameterizedTest
  @CsvSource({"1, 3", "2, 5", "3, 3", "4, 2"})
  void ofEverySmallMatrixItIsTheFirstOfTheBest(int size, int kinds) {
    for (int[] entries : Space.uniform(size * size, kinds).enumerate()) {
      double[][] weights = new double[size][size];
      for (int at = 0; at < entries.length; at++) {
        weights[at / size][at % size] = entries[at];
      }
      int[] best = Assignment.best(weights);
      // An assertion for each of 85,000 matrices would take longer than finding the best.
      if (!Arrays.equals(best, Permutations.best(weights))) {
        assertThat(best).as(Arrays.deepToString(weights)).isEqualTo(Permutations.best(weights));
      }
    }
  }

  /** Weights out of two or three. */
  @ParameterizedTest
  @ValueSource(ints = {5, 6})
  void ofSeveralBestItIsTheFirst(int size) {
    var random = new SplittableRandom(size);
    for (int i = 0; i < MATRICES; i++) {
      int kinds = 2 + i % 2;
      double[][] weights = matrix(size, () -> -random.nextInt(kinds));
      assertThat(Assignment.best(weights)).containsExactly(byTryingAll(weights));
    }
  }

  /** Their sums are not exact in doubles, so that equal totals would look unequal. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6})
  void equalTotalsOfFloatsAreEqual(int size) {
    var random = new SplittableRandom(size);
    for (int i = 0; i < MATRICES; i++) {
      float[] kinds = {(float) random.nextGaussian(), (float) random.nextGaussian(), 0.1f, 1e-6f};
      double[][] weights = matrix(size, () -> kinds[random.nextInt(kinds.length)]);
      assertThat(Assignment.best(weights)).containsExactly(byTryingAll(weights));
    }
  }

  /** Two equal rows, or columns, always leave a choice. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6})
  void equalRowsAndColumnsStayInOrder(int size) {
    var random = new SplittableRandom(size);
    for (int i = 0; i < MATRICES; i++) {
      double[][] weights = matrix(size, () -> (float) random.nextGaussian());
      int from = random.nextInt(size);
      int to = random.nextInt(size);
      if (i % 2 == 0) {
        weights[to] = weights[from].clone();
      } else {
        Arrays.stream(weights).forEach(row -> row[to] = row[from]);
      }
      assertThat(Assignment.best(weights)).containsExactly(byTryingAll(weights));
    }
  }

  /** Where there are too many permutations to try, one that was made to be the best. */
  @ParameterizedTest
  @ValueSource(ints = {30, 200})
  void aHiddenPermutationIsFound(int size) {
    var random = new SplittableRandom(size);
    int[] hidden = shuffled(size, random);
    double[] rows = random.doubles(size, -5, 5).toArray();
    double[] columns = random.doubles(size, -5, 5).toArray();
    double[][] weights = new double[size][size];
    for (int row = 0; row < size; row++) {
      for (int column = 0; column < size; column++) {
        // No assignment exceeds the sum of all prices, and this one alone comes near it.
        double missing = hidden[row] == column ? 0 : 1e-6 + random.nextDouble();
        weights[row][column] = rows[row] + columns[column] - missing;
      }
    }
    assertThat(Assignment.best(weights)).containsExactly(hidden);
  }

  private static int[] shuffled(int size, SplittableRandom random) {
    int[] values = IntStream.range(0, size).toArray();
    for (int i = size - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int held = values[i];
      values[i] = values[other];
      values[other] = held;
    }
    return values;
  }

  /** Prices and slacks as large as they can be. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6})
  void nothingOverflows(int size) {
    var random = new SplittableRandom(size);
    for (int i = 0; i < MATRICES; i++) {
      double[][] weights =
          matrix(size, () -> random.nextInt(3) == 0 ? Double.MAX_VALUE : -Double.MAX_VALUE);
      assertThat(Assignment.best(weights)).containsExactly(byTryingAll(weights));
    }
  }

  @Test
  void equalWeightsGiveTheIdentity() {
    for (double weight : new double[] {0, 1, -0.3, 1e300, Double.MIN_VALUE, Double.NaN}) {
      assertThat(Assignment.best(matrix(5, () -> weight))).containsExactly(0, 1, 2, 3, 4);
    }
  }

  /** One bit more for one pair of symbols, the last of a double or far below the largest weight. */
  @Test
  void theLastBitDecides() {
    for (double[] pair :
        new double[][] {{3, Math.nextUp(3.0)}, {-0.1f, Math.nextUp(-0.1f)}, {0, 0x1p-35}}) {
      double[][] weights = matrix(5, () -> pair[0]);
      weights[4][4] = 5;
      assertThat(Assignment.best(weights)).containsExactly(0, 1, 2, 3, 4);
      weights[1][3] = pair[1];
      assertThat(Assignment.best(weights)).containsExactly(0, 3, 1, 2, 4);
    }
  }

  /** The scale of weights is free, from the smallest numbers to the largest. */
  @Test
  void theScaleDoesNotMatter() {
    var random = new SplittableRandom(3);
    double[][] weights = matrix(6, () -> (float) random.nextGaussian());
    int[] best = byTryingAll(weights);
    for (int power : new int[] {-900, -126, -30, 0, 30, 126, 1000}) {
      double[][] scaled =
          Arrays.stream(weights)
              .map(row -> Arrays.stream(row).map(weight -> Math.scalb(weight, power)).toArray())
              .toArray(double[][]::new);
      assertThat(Assignment.best(scaled)).containsExactly(best);
    }
  }

  @Test
  void whateverTheWeightsItIsAPermutation() {
    var random = new SplittableRandom(4);
    double[] strange = {
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      Double.MAX_VALUE,
      -Double.MAX_VALUE,
      Double.MIN_VALUE,
      -0.0,
      1
    };
    for (int i = 0; i < 300; i++) {
      int size = 1 + i % 7;
      int[] best = Assignment.best(matrix(size, () -> strange[random.nextInt(strange.length)]));
      assertThat(best).containsExactlyInAnyOrder(IntStream.range(0, size).toArray());
    }
    double[][] barred = {
      {1, Double.NEGATIVE_INFINITY, 0},
      {2, 0, Double.NEGATIVE_INFINITY},
      {Double.NEGATIVE_INFINITY, 1, 1}
    };
    assertThat(Assignment.best(barred)).containsExactly(0, 1, 2);
  }
}
