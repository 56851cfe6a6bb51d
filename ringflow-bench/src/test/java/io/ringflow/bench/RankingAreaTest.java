package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RankingAreaTest {
  private static double byPairs(double[] oddness, boolean[] odd) {
    double won = 0;
    int pairs = 0;
    for (int i = 0; i < odd.length; i++) {
      for (int j = 0; j < odd.length; j++) {
        if (odd[i] && !odd[j]) {
          won += oddness[i] > oddness[j] ? 1 : oddness[i] == oddness[j] ? 0.5 : 0;
          pairs++;
        }
      }
    }
    return won / pairs;
  }

  @Test
  void isTheShareOfPairsInOrderForAllSmallRankings() {
    double[] values = {Double.NEGATIVE_INFINITY, -0.0, 0.0, Double.POSITIVE_INFINITY};
    for (int size = 2; size <= 4; size++) {
      for (int ranking = 0; ranking < Math.pow(values.length, size); ranking++) {
        for (int which = 1; which < (1 << size) - 1; which++) {
          double[] oddness = new double[size];
          boolean[] odd = new boolean[size];
          for (int i = 0, left = ranking; i < size; i++, left /= values.length) {
            oddness[i] = values[left % values.length];
            odd[i] = ((which >> i) & 1) == 1;
          }
          assertThat(RankingArea.of(oddness, odd)).isEqualTo(byPairs(oddness, odd));
        }
      }
    }
  }

  @Test
  void isTheShareOfPairsInOrderForManyRows() {
    var random = new SplittableRandom(1);
    double[] oddness = random.ints(500, 0, 100).asDoubleStream().toArray();
    boolean[] odd = new boolean[oddness.length];
    for (int i = 0; i < odd.length; i++) {
      odd[i] = random.nextInt(100) < oddness[i] / 2;
    }
    assertThat(RankingArea.of(oddness, odd)).isEqualTo(byPairs(oddness, odd)).isBetween(0.6, 0.9);
  }

  @Test
  void refusesWhatHasNoRanking() {
    assertThatThrownBy(() -> RankingArea.of(new double[] {1, 2}, new boolean[] {true, true}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 and 0");
    assertThatThrownBy(
            () -> RankingArea.of(new double[] {1, Double.NaN}, new boolean[] {true, false}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("NaN");
    assertThatThrownBy(() -> RankingArea.of(new double[] {1}, new boolean[] {true, false}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 rows, but is of 1");
  }
}
