package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Estimates of a target of four rows, whose answers are known, from samples of another model. */
class WeightedSamplesTest {
  private static final double[] WEIGHTS = {4, 3, 2, 0};
  private static final double[] PROBS = {0.1, 0.2, 0.3, 0.4};
  private static final int COUNT = 20_000;

  private static WeightedSamples samples(double[] weights, double[] probs, int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[][] rows = new int[count][];
    for (int i = 0; i < count; i++) {
      double u = random.nextDouble();
      int symbol = 0;
      while (symbol < probs.length - 1 && u >= probs[symbol]) {
        u -= probs[symbol++];
      }
      rows[i] = new int[] {symbol};
    }
    return new WeightedSamples(
        rows,
        Arrays.stream(rows).mapToDouble(row -> Math.log(weights[row[0]])).toArray(),
        Arrays.stream(rows).mapToDouble(row -> Math.log(probs[row[0]])).toArray());
  }

  @Test
  void estimatesComeWithErrorsThatCoverThem() {
    double[] exact = DoubleStream.of(WEIGHTS).map(w -> w / 9).toArray();
    int outside = 0;
    for (long seed = 0; seed < 200; seed++) {
      WeightedSamples drawn = samples(WEIGHTS, PROBS, 1000, seed);
      outside += isOutside(drawn.logZ(), Math.log(9)) ? 1 : 0;
      for (int symbol = 0; symbol < 3; symbol++) {
        outside += isOutside(drawn.probability(0, symbol), exact[symbol]) ? 1 : 0;
      }
    }
    assertThat(outside).isBetween(0, 800 / 100); // three standard errors: 2 in 800 are expected
    assertThat(samples(WEIGHTS, PROBS, 1000, 1).probability(0, 3)).isEqualTo(new Estimate(0, 0));
  }

  private static boolean isOutside(Estimate estimate, double exact) {
    return Math.abs(estimate.value() - exact) > 3 * estimate.standardError();
  }

  @Test
  void theBoundIsThatOfTheModelWithoutImpossibleRows() {
    double left = 0.6;
    double exact =
        IntStream.range(0, 3)
            .mapToDouble(i -> PROBS[i] / left * Math.log(WEIGHTS[i] / (PROBS[i] / left)))
            .sum();
    WeightedSamples drawn = samples(WEIGHTS, PROBS, COUNT, 1);
    assertThat(drawn.bound().value())
        .isCloseTo(exact, within(5 * drawn.bound().standardError() + 0.01))
        .isLessThan(Math.log(9));
    assertThat(drawn.impossibleShare()).isCloseTo(0.4, within(0.02));
  }

  @Test
  void effectiveSampleSizeIsThatOfTheRatios() {
    double first = IntStream.range(0, 4).mapToDouble(i -> WEIGHTS[i]).sum();
    double second =
        IntStream.range(0, 4).mapToDouble(i -> WEIGHTS[i] * WEIGHTS[i] / PROBS[i]).sum();
    assertThat(samples(WEIGHTS, PROBS, COUNT, 2).ess())
        .isCloseTo(first * first / second, within(0.02));
    double[] same = DoubleStream.of(PROBS).map(p -> 7 * p).toArray();
    WeightedSamples perfect = samples(same, PROBS, 100, 3);
    assertThat(perfect.ess()).isCloseTo(1, within(1e-12));
    assertThat(perfect.logZ().value()).isCloseTo(Math.log(7), within(1e-12));
    assertThat(perfect.logZ().standardError()).isLessThan(1e-12);
    assertThat(perfect.tailIndex()).isLessThan(0.5);
  }

  @Test
  void resampledRowsAreTheTargets() {
    WeightedSamples drawn = samples(WEIGHTS, PROBS, COUNT, 4);
    int[] counts = new int[4];
    for (int[] row : drawn.resampled(9000, 5)) {
      counts[row[0]]++;
    }
    assertThat(counts[3]).isZero();
    assertThat((double) counts[0]).isCloseTo(4000, within(250.0));
    assertThat((double) counts[2]).isCloseTo(2000, within(200.0));
  }

  @Test
  void metropolisKeepsTheTarget() {
    WeightedSamples.Chain chain = samples(WEIGHTS, PROBS, COUNT, 6).metropolis(7);
    long zeros = Arrays.stream(chain.rows()).filter(row -> row[0] == 0).count();
    long impossible = Arrays.stream(chain.rows()).skip(100).filter(row -> row[0] == 3).count();
    assertThat((double) zeros / COUNT).isCloseTo(4.0 / 9, within(0.03));
    assertThat(impossible).isZero();
    assertThat(chain.acceptance()).isBetween(0.1, 0.6);
  }

  @Test
  void likeliestRowsAreDifferent() {
    assertThat(samples(WEIGHTS, PROBS, 100, 8).likeliest(2))
        .containsExactly(new int[] {0}, new int[] {1});
    assertThat(samples(WEIGHTS, PROBS, 100, 8).likeliest(9)).hasSize(4);
  }

  @Test
  void nothingPossible() {
    WeightedSamples none = samples(new double[4], PROBS, 10, 9);
    assertThat(none.logZ().value()).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(none.bound().value()).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(none.ess()).isZero();
    assertThatThrownBy(() -> none.resampled(1, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("none of 10 samples has a weight: the model has not found the target");
    assertThatThrownBy(() -> none.metropolis(1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void doubtsAreTold() {
    assertThat(samples(WEIGHTS, PROBS, COUNT, 4).doubts()).isEmpty();
    assertThat(samples(WEIGHTS, PROBS, 50, 4).doubts())
        .singleElement(STRING)
        .matches("the samples are worth [0-9.]+ independent ones, and 100 are few.*");
    assertThat(samples(new double[4], PROBS, 10, 9).doubts())
        .containsExactly("none of the samples is possible: the model has not found the target");
    SplittableRandom random = new SplittableRandom(11);
    double[] heavy =
        IntStream.range(0, COUNT).mapToDouble(i -> -2 * Math.log(random.nextDouble())).toArray();
    assertThat(new WeightedSamples(new int[COUNT][1], heavy, new double[COUNT]).doubts())
        .anyMatch(doubt -> doubt.startsWith("a few weights outweigh the others (tail index "));
  }

  /** Ratios whose tail is u to the power of -k have the index k. */
  @Test
  void tailIndexIsThatOfThePareto() {
    for (double k : new double[] {0.2, 0.7, 1.5}) {
      SplittableRandom random = new SplittableRandom(10);
      double[] values =
          IntStream.range(0, 100_000)
              .mapToDouble(i -> Math.pow(1 - random.nextDouble(), -k))
              .toArray();
      assertThat(ParetoTail.index(values)).isCloseTo(k, within(0.12));
    }
    assertThat(ParetoTail.index(new double[] {1, 2, 3})).isEqualTo(Double.POSITIVE_INFINITY);
  }

  @Test
  void numbersMustMatch() {
    assertThatThrownBy(
            () -> new WeightedSamples(new int[][] {{0}, {1}}, new double[2], new double[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2, 2 and 1");
  }
}
