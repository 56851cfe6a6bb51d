package io.ringflow.internal.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Shares: that they are shares, and that they do not hang on the last digits. */
final class GuardTest {
  /** The relative noise of log-probabilities that must not matter. */
  private static final double NOISE = 1e-12;

  /** Log-probabilities from flat to nearly certain. */
  private static double[] logProbs(int symbols, SplittableRandom random) {
    double steepness = Math.exp(4 * random.nextDouble() - 1);
    double[] logProbs = new double[symbols];
    double total = 0;
    for (int k = 0; k < symbols; k++) {
      logProbs[k] = -steepness * Math.log(1 - random.nextDouble());
      total += Math.exp(logProbs[k]);
    }
    for (int k = 0; k < symbols; k++) {
      logProbs[k] -= Math.log(total);
    }
    return logProbs;
  }

  private static double[] noisy(double[] logProbs, SplittableRandom random) {
    double[] noisy = logProbs.clone();
    for (int k = 0; k < noisy.length; k++) {
      noisy[k] *= 1 + NOISE * (2 * random.nextInt(2) - 1);
    }
    return noisy;
  }

  private static int safeOffset(Cumulative table, int symbols) {
    int number = 0;
    while (number < Guard.OFFSETS && !isSafe(table, symbols, Guard.offset(number))) {
      number++;
    }
    return number;
  }

  private static boolean isSafe(Cumulative table, int symbols, double u) {
    for (int k = 0; k <= symbols; k++) {
      if (!Guard.isSafe(table.place(k), u)) {
        return false;
      }
    }
    return true;
  }

  private static int boundary(Cumulative table, int k, double u) {
    return Cumulative.boundary(table.place(k), u);
  }

  /** Two million tables: no boundary moves with a safe offset, and some do with the first one. */
  @Test
  void noiseMovesNoBoundaryOfAGuardedTable() {
    var random = new SplittableRandom(1);
    var exact = new Cumulative(64);
    var disturbed = new Cumulative(64);
    int moved = 0;
    int guardedMoved = 0;
    int others = 0;
    for (int i = 0; i < 2_000_000; i++) {
      int symbols = i % 1000 == 0 ? 64 : 2 + random.nextInt(6);
      double[] logProbs = logProbs(symbols, random);
      exact.fill(logProbs, 0, symbols);
      disturbed.fill(noisy(logProbs, random), 0, symbols);
      int number = safeOffset(exact, symbols);
      others += number == 0 ? 0 : 1;
      double first = Guard.offset(0);
      double u = Guard.offset(number);
      for (int k = 0; k <= symbols; k++) {
        moved += boundary(exact, k, first) == boundary(disturbed, k, first) ? 0 : 1;
        guardedMoved += boundary(exact, k, u) == boundary(disturbed, k, u) ? 0 : 1;
      }
    }
    assertThat(guardedMoved).isZero();
    assertThat(moved).as("without the guard").isPositive();
    assertThat(others).as("tables that need another offset").isBetween(100, 2000);
  }

  /** The largest and flattest alphabet, with the noise that moves its middle most. */
  @Test
  void theWorstNoiseStaysWithinTheGuard() {
    int symbols = Cumulative.MAX_SYMBOLS;
    double[] flat = new double[symbols];
    Arrays.fill(flat, -Math.log(symbols));
    double[] tilted = flat.clone();
    for (int k = 0; k < symbols; k++) {
      tilted[k] *= k < symbols / 2 ? 1 + NOISE : 1 - NOISE;
    }
    var exact = new Cumulative(symbols);
    exact.fill(flat, 0, symbols);
    var disturbed = new Cumulative(symbols);
    disturbed.fill(tilted, 0, symbols);
    double maxMoved =
        IntStream.rangeClosed(0, symbols)
            .mapToDouble(k -> Math.abs(exact.place(k) - disturbed.place(k)))
            .max()
            .orElseThrow();
    assertThat(maxMoved).isBetween(Guard.WIDTH / 10, Guard.WIDTH);
  }

  /** Every slot of the scale, with every offset: one symbol covers it, and each covers some. */
  @Test
  void sharesCoverTheScale() {
    var random = new SplittableRandom(2);
    for (int symbols : new int[] {1, 2, 3, 27, 100}) {
      var table = new Cumulative(symbols);
      table.fill(logProbs(symbols, random), 0, symbols);
      for (int number : new int[] {0, 31, 32, random.nextInt(Guard.OFFSETS)}) {
        double u = Guard.offset(number);
        assertThat(boundary(table, 0, u)).isZero();
        assertThat(boundary(table, symbols, u)).isEqualTo(Cumulative.TOTAL);
        for (int k = 0, slot = 0; k < symbols; k++) {
          int end = boundary(table, k + 1, u);
          assertThat(end).isGreaterThan(slot);
          for (; slot < end; slot++) {
            if (table.find(slot, u) != k) {
              assertThat(table.find(slot, u)).as("slot %d", slot).isEqualTo(k);
            }
          }
        }
      }
    }
  }

  @Test
  void theImpossibleKeepsAShareAndTheCertainIsSafe() {
    double[] logProbs = {Double.NEGATIVE_INFINITY, -800, 0, -1e-18, Double.NEGATIVE_INFINITY};
    logProbs[3] = -40;
    var table = new Cumulative(5);
    table.fill(logProbs, 0, 4);
    double u = Guard.offset(0);
    assertThat(IntStream.rangeClosed(0, 4).map(k -> boundary(table, k, u)))
        .containsExactly(0, 1, 2, Cumulative.TOTAL - 1, Cumulative.TOTAL);
    assertThat(safeOffset(table, 4)).isZero();
  }

  @Test
  void onlyProbabilitiesMakeShares() {
    var table = new Cumulative(2);
    for (double odd : new double[] {Double.NaN, Double.NEGATIVE_INFINITY, -5, 5, 1e9}) {
      assertThatThrownBy(() -> table.fill(new double[] {odd, odd}, 0, 2))
          .isInstanceOf(ArithmeticException.class)
          .hasMessageContaining("not to 1");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Cumulative(Cumulative.MAX_SYMBOLS + 1))
        .withMessageContaining("262144");
  }

  /** The numbers of offsets are written by shares of the same scale. */
  @Test
  void offsetsAreToldBySlots() {
    for (int number = 0, slot = 0; number < Guard.OFFSETS; number++) {
      assertThat(Guard.start(number)).isEqualTo(slot);
      int end = slot + Guard.frequency(number);
      for (; slot < end; slot++) {
        if (Guard.find(slot) != number) {
          assertThat(Guard.find(slot)).as("slot %d", slot).isEqualTo(number);
        }
      }
    }
    assertThat(Guard.start(Guard.OFFSETS - 1) + Guard.frequency(Guard.OFFSETS - 1))
        .isEqualTo(Cumulative.TOTAL);
    assertThat(IntStream.range(0, Guard.OFFSETS).mapToObj(Guard::offset))
        .doesNotHaveDuplicates()
        .allMatch(u -> u > 0 && u < 1);
    assertThat(Guard.offset(0)).isEqualTo(0.5);
  }
}
