package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class SmoothedCountsTest {
  private static double[][] repeated(double[] row, int times) {
    double[][] rows = new double[times][];
    Arrays.fill(rows, row);
    return rows;
  }

  private static double[] uniform(int symbols) {
    double[] row = new double[symbols];
    Arrays.fill(row, 1.0 / symbols);
    return row;
  }

  private static double[][] sampled(double[][] exact, int count, Random random) {
    double[][] counts = new double[exact.length][exact[0].length];
    for (int n = 0; n < count; n++) {
      int row = random.nextInt(exact.length);
      double left = random.nextDouble();
      int k = 0;
      while (k < exact[row].length - 1 && left >= exact[row][k]) {
        left -= exact[row][k++];
      }
      counts[row][k]++;
    }
    return counts;
  }

  /** Nats that frequencies cost above the exact ones, as a mean of rows. */
  private static double excess(double[][] exact, double[][] frequencies) {
    double sum = 0;
    for (int row = 0; row < exact.length; row++) {
      for (int k = 0; k < exact[row].length; k++) {
        sum += exact[row][k] * Math.log(exact[row][k] / frequencies[row][k]);
      }
    }
    return sum / exact.length;
  }

  private static double bestOfFixed(double[][] exact, double[][] counts, double[] coarser) {
    double best = Double.POSITIVE_INFINITY;
    for (double worth = 0.25; worth <= 2048; worth *= 2) {
      double[][] fixed = new double[counts.length][coarser.length];
      for (int row = 0; row < counts.length; row++) {
        double all = Arrays.stream(counts[row]).sum() + worth;
        for (int k = 0; k < coarser.length; k++) {
          fixed[row][k] = (counts[row][k] + worth * coarser[k]) / all;
        }
      }
      best = Math.min(best, excess(exact, fixed));
    }
    return best;
  }

  @Property(tries = 200)
  void rowsArePositiveAndSumToOne(
      @ForAll @IntRange(min = 1, max = 5) int rows,
      @ForAll @IntRange(min = 1, max = 6) int symbols,
      @ForAll @IntRange(max = 60) int count,
      @ForAll long seed) {
    var random = new Random(seed);
    double[][] counts = sampled(repeated(uniform(symbols), rows), count, random);
    for (double[] row : counts) {
      Arrays.setAll(row, k -> row[k] * (random.nextBoolean() ? 1 : random.nextDouble()));
    }
    for (double[] row : SmoothedCounts.of(counts, repeated(uniform(symbols), rows))) {
      assertThat(Arrays.stream(row).sum()).isCloseTo(1, within(1e-12));
      assertThat(row).hasSize(symbols);
      assertThat(Arrays.stream(row).min().orElseThrow()).isPositive();
    }
  }

  @Test
  void rowsWithoutObservationsAreTheCoarserFrequencies() {
    double[] coarser = {0.5, 0.3, 0.2};
    double[][] counts = {{100, 1, 1}, {0, 0, 0}, {2, 1, 90}};
    double[] unseen = SmoothedCounts.of(counts, repeated(coarser, 3))[1];
    assertThat(unseen).containsExactly(coarser, within(1e-12));
  }

  @Test
  void alikeRowsAreSmoothedAsMuchAsTheBestFixedPriorWould() {
    double[] coarser = {0.4, 0.3, 0.2, 0.1};
    double[][] exact = repeated(coarser, 100);
    double[][] counts = sampled(exact, 2000, new Random(1));
    assertThat(excess(exact, SmoothedCounts.of(counts, exact))).isLessThan(0.001);
  }

  @Test
  void anObservationDoesNotVouchForItself() {
    // One observation in most rows: if it made a favourite, all rows would seem to have one.
    double[] coarser = uniform(50);
    double[][] exact = repeated(coarser, 1000);
    double[][] counts = sampled(exact, 1000, new Random(2));
    assertThat(excess(exact, SmoothedCounts.of(counts, exact))).isLessThan(0.01);
  }

  @Test
  void rowsWithFavouritesAreLearnedFromFewerObservations() {
    var random = new Random(3);
    double[][] exact = new double[50][40];
    for (double[] row : exact) {
      int favourite = random.nextInt(row.length);
      Arrays.setAll(row, k -> 0.3 / row.length + (k == favourite ? 0.7 : 0));
    }
    double[][] counts = sampled(exact, 5000, random);
    double[] coarser = new double[40];
    for (double[] row : exact) {
      Arrays.setAll(coarser, k -> coarser[k] + row[k] / exact.length);
    }
    double smoothed = excess(exact, SmoothedCounts.of(counts, repeated(coarser, exact.length)));
    assertThat(smoothed).isLessThan(bestOfFixed(exact, counts, coarser) / 2);
  }

  @Test
  void rowsThatDifferAreNotSmoothedTogether() {
    var random = new Random(4);
    double[][] exact = new double[10][8];
    for (double[] row : exact) {
      Arrays.setAll(row, k -> 0.1 + random.nextDouble());
      double sum = Arrays.stream(row).sum();
      Arrays.setAll(row, k -> row[k] / sum);
    }
    double[][] counts = sampled(exact, 20_000, random);
    double[][] smoothed = SmoothedCounts.of(counts, repeated(uniform(8), 10));
    assertThat(excess(exact, smoothed)).isLessThan(1.1 * bestOfFixed(exact, counts, uniform(8)));
  }
}
