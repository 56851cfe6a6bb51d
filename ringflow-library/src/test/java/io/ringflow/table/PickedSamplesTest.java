package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PickedSamplesTest {
  private static final int TRIALS = 2000;
  private static final int SAMPLES = 128;

  /** Values that few samples show, and weights that go along with them or not. */
  @ParameterizedTest
  @CsvSource({"128, 0", "128, 0.5", "128, 1", "32, 0", "32, 0.5", "32, 1"})
  void standardErrorsSayHowFarAveragesAreOff(int picks, double spread) {
    var random = new Random(1);
    double truth = 0.1;
    int withinTwo = 0;
    int withinThree = 0;
    double squares = 0;
    double variances = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      double[] logWeights = new double[SAMPLES];
      double[][] values = new double[SAMPLES][1];
      for (int i = 0; i < SAMPLES; i++) {
        // The mean weight is 1 whatever the value is.
        logWeights[i] = spread * random.nextGaussian() - spread * spread / 2;
        values[i][0] = random.nextDouble() < truth ? 1 : 0;
      }
      PickedSamples samples = PickedSamples.of(logWeights, picks);
      PickedSamples.Average average = samples.new Average(1);
      for (int i = 0; i < samples.picked().length; i++) {
        average.add(i, values[samples.picked()[i]]);
      }
      double off = Math.abs(average.means()[0] - truth);
      double error = average.standardErrors()[0];
      withinTwo += off <= 2 * error ? 1 : 0;
      withinThree += off <= 3 * error ? 1 : 0;
      squares += off * off / TRIALS;
      variances += error * error / TRIALS;
    }
    assertThat(withinTwo).isGreaterThan(TRIALS * 95 / 100);
    assertThat(withinThree).isGreaterThan(TRIALS * 99 / 100);
    assertThat(variances).isBetween(squares, 3 * squares);
  }

  @Test
  void heavySamplesArePickedAndNoneCountsForMoreThanItsWeight() {
    double[] logWeights = new double[100];
    Arrays.fill(logWeights, Math.log(0.5 / 99));
    logWeights[40] = Math.log(0.5);
    PickedSamples samples = PickedSamples.of(logWeights, 10);
    assertThat(samples.picked()).hasSize(6).contains(40);
    assertThat(samples.worth()).isBetween(3.0, 4.0);
    PickedSamples.Average average = samples.new Average(1);
    for (int i = 0; i < 6; i++) {
      average.add(i, new double[] {samples.picked()[i] == 40 ? 1 : 0});
    }
    assertThat(average.means()[0]).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void oneSampleAloneSaysNothing() {
    PickedSamples samples =
        PickedSamples.of(new double[] {0, Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY}, 8);
    PickedSamples.Average average = samples.new Average(2);
    average.add(0, new double[] {0.25, 0.75});
    assertThat(samples.picked()).containsExactly(0);
    assertThat(average.means()).containsExactly(0.25, 0.75);
    assertThat(average.standardErrors()).containsExactly(1, 1);
  }
}
