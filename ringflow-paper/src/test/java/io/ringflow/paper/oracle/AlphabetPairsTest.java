package io.ringflow.paper.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class AlphabetPairsTest {
  private static final int K = 50;

  static Stream<AlphabetPairs> both() {
    return Stream.of(AlphabetPairs.scattered(K, 1), AlphabetPairs.neighbours(K, 1));
  }

  @ParameterizedTest
  @MethodSource("both")
  void theFormulasAreThoseOfTheTable(AlphabetPairs pairs) {
    double[][] table = table(pairs);
    double[] cells = Arrays.stream(table).flatMapToDouble(Arrays::stream).toArray();
    assertThat(Arrays.stream(cells).sum()).isCloseTo(1, within(1e-12));
    assertThat(pairs.entropy()).isCloseTo(Entropy.of(cells), within(1e-12));
    double[] px = Arrays.stream(table).mapToDouble(row -> Arrays.stream(row).sum()).toArray();
    double[] py = new double[K];
    for (double[] row : table) {
      Arrays.setAll(py, y -> py[y] + row[y]);
    }
    assertThat(pairs.factorised()).isCloseTo(Entropy.of(px) + Entropy.of(py), within(1e-12));
    for (int x = 1; x < K; x++) {
      assertThat(px[x] * (x + 1)).isCloseTo(px[0], within(1e-12));
    }
  }

  @ParameterizedTest
  @MethodSource("both")
  void sortingReachesTheFloor(AlphabetPairs pairs) {
    assertThat(new RingOracle(table(pairs)).anyPermutation())
        .isCloseTo(pairs.entropy(), within(1e-12));
  }

  @Test
  void shiftsReachTheFloorOfNeighboursAlone() {
    var neighbours = AlphabetPairs.neighbours(K, 1);
    assertThat(neighbours.shifted()).isCloseTo(neighbours.entropy(), within(1e-12));
    var scattered = AlphabetPairs.scattered(K, 1);
    double found = new RingOracle(table(scattered)).bestShifts(3, new SplittableRandom(1));
    assertThat(scattered.shifted()).isBetween(found, scattered.factorised());
    assertThat(found).isGreaterThan(scattered.entropy() + 0.5);
  }

  @ParameterizedTest
  @MethodSource("both")
  void everyPairIsThereOnce(AlphabetPairs pairs) {
    assertThat(pairs.pairs()).hasDimensions(4 * K, 2);
    assertThat(Arrays.stream(pairs.pairs()).map(Arrays::toString)).doesNotHaveDuplicates();
    assertThat(pairs.probabilities()).hasSize(4 * K);
  }

  @ParameterizedTest
  @MethodSource("both")
  void crossEntropyWithItselfIsTheEntropy(AlphabetPairs pairs) {
    double[] logs = Arrays.stream(pairs.probabilities()).map(Math::log).toArray();
    assertThat(pairs.crossEntropy(logs)).isCloseTo(pairs.entropy(), within(1e-12));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pairs.crossEntropy(new double[3]))
        .withMessageContaining("200")
        .withMessageContaining("3");
  }

  @ParameterizedTest
  @MethodSource("both")
  void samplesFollowTheTable(AlphabetPairs pairs) {
    int n = 200_000;
    double[][] table = table(pairs);
    int[][] counts = new int[K][K];
    for (int[] row : pairs.sample(n, new SplittableRandom(1))) {
      counts[row[0]][row[1]]++;
    }
    double chiSquare = 0;
    for (int x = 0; x < K; x++) {
      for (int y = 0; y < K; y++) {
        double expected = n * table[x][y];
        if (expected == 0) {
          assertThat(counts[x][y]).isZero();
        } else {
          chiSquare += (counts[x][y] - expected) * (counts[x][y] - expected) / expected;
        }
      }
    }
    // Chi-square over m cells has mean m - 1 and variance 2m.
    int cells = 4 * K;
    assertThat(chiSquare).isCloseTo(cells - 1, within(4 * Math.sqrt(2.0 * cells)));
  }

  @Test
  void anAlphabetMayBeTooSmall() {
    assertThat(AlphabetPairs.scattered(4, 1).pairs()).hasDimensions(16, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AlphabetPairs.scattered(3, 1))
        .withMessageContaining("3");
  }

  private static double[][] table(AlphabetPairs pairs) {
    double[][] table = new double[pairs.k()][pairs.k()];
    double[] p = pairs.probabilities();
    int[][] all = pairs.pairs();
    for (int i = 0; i < p.length; i++) {
      table[all[i][0]][all[i][1]] = p[i];
    }
    return table;
  }
}
