package io.ringflow.paper.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RingOfGaussiansTest {
  private final RingOfGaussians ring = RingOfGaussians.paper();

  @Test
  void isTheDistributionOfThePaper() {
    assertThat(ring.k()).isEqualTo(90);
    assertThat(Arrays.stream(ring.cellProbabilities()).sum()).isCloseTo(1, within(1e-12));
    assertThat(ring.entropy()).isCloseTo(6.310, within(5e-4));
    assertThat(ring.factorised()).isCloseTo(7.341, within(5e-4));
  }

  @Test
  void hasTheSymmetriesOfTheRing() {
    double[][] p = ring.pmf();
    for (int x = 0; x < 90; x++) {
      for (int y = 0; y < 90; y++) {
        assertThat(p[x][y]).isCloseTo(p[y][x], within(1e-12));
        assertThat(p[x][y]).isCloseTo(p[89 - x][y], within(1e-12));
      }
    }
    // The component at angle 0 sits around (2, 0): the corner of four bins there.
    assertThat(p[85][45]).isCloseTo(p[84][44], within(1e-12)).isGreaterThan(p[88][45]);
  }

  @Test
  void cellsAndProbabilitiesShareOneOrder() {
    int[][] cells = ring.cells();
    double[] probabilities = ring.cellProbabilities();
    double[][] p = ring.pmf();
    assertThat(cells).hasDimensions(8100, 2);
    for (int cell = 0; cell < cells.length; cell++) {
      assertThat(probabilities[cell]).isEqualTo(p[cells[cell][0]][cells[cell][1]]);
    }
  }

  @Test
  void crossEntropyWithItselfIsTheEntropy() {
    double[] logs = Arrays.stream(ring.cellProbabilities()).map(Math::log).toArray();
    assertThat(ring.crossEntropy(logs)).isCloseTo(ring.entropy(), within(1e-12));
    double[] uniform = new double[8100];
    Arrays.fill(uniform, -Math.log(8100));
    assertThat(ring.crossEntropy(uniform)).isCloseTo(Math.log(8100), within(1e-12));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ring.crossEntropy(new double[3]))
        .withMessageContaining("8100")
        .withMessageContaining("3");
  }

  @Test
  void samplesFollowTheTable() {
    int n = 400_000;
    int[] counts = new int[8100];
    for (int[] row : ring.sample(n, new SplittableRandom(1))) {
      counts[row[0] * 90 + row[1]]++;
    }
    double[] p = ring.cellProbabilities();
    double chiSquare = 0;
    int cells = 0;
    for (int cell = 0; cell < p.length; cell++) {
      double expected = n * p[cell];
      if (expected >= 5) {
        chiSquare += (counts[cell] - expected) * (counts[cell] - expected) / expected;
        cells++;
      }
      if (p[cell] == 0) {
        assertThat(counts[cell]).isZero();
      }
    }
    // Chi-square over m cells has mean m and variance 2m.
    assertThat(cells).isGreaterThan(500);
    assertThat(chiSquare).isCloseTo(cells, within(4 * Math.sqrt(2.0 * cells)));
  }

  @Test
  void sameSeedSameSamples() {
    assertThat(ring.sample(100, new SplittableRandom(7)))
        .isDeepEqualTo(ring.sample(100, new SplittableRandom(7)));
  }

  @Test
  void otherResolutions() {
    assertThat(new RingOfGaussians(0.5).pmf()).hasDimensions(9, 9);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RingOfGaussians(0.4))
        .withMessageContaining("0.4");
    assertThatIllegalArgumentException().isThrownBy(() -> new RingOfGaussians(0));
    assertThatIllegalArgumentException().isThrownBy(() -> new RingOfGaussians(Double.NaN));
  }
}
