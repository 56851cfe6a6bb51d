package io.ringflow.paper.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Space;
import io.ringflow.paper.harness.Estimate;
import io.ringflow.testing.ChiSquare;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FullRankTableTest {
  /** The paper's section 3.2, with its exact figures. */
  private final FullRankTable xor = FullRankTable.of(2, 2, 0.63, 0.07, 0.03, 0.27);

  @Test
  void theXorTableByHand() {
    assertThat(xor.entropy())
        .isCloseTo(
            -0.63 * Math.log(0.63)
                - 0.07 * Math.log(0.07)
                - 0.03 * Math.log(0.03)
                - 0.27 * Math.log(0.27),
            within(1e-15));
    double first = -0.7 * Math.log(0.7) - 0.3 * Math.log(0.3);
    double second = -0.66 * Math.log(0.66) - 0.34 * Math.log(0.34);
    assertThat(xor.marginalEntropies())
        .containsExactly(new double[] {first, second}, within(1e-15));
    assertThat(xor.factorised()).isCloseTo(first + second, within(1e-15));
    // Given either first bit the second is right in nine cases of ten.
    double given = -0.9 * Math.log(0.9) - 0.1 * Math.log(0.1);
    assertThat(xor.conditionalEntropies())
        .containsExactly(new double[] {first, given}, within(1e-15));
    assertThat(xor.logProb(new int[] {1, 0})).isCloseTo(Math.log(0.03), within(1e-14));
  }

  @Test
  void cellsAreNumberedAsTheSpaceEnumerates() {
    var table = FullRankTable.random(4, 3, 1);
    int[][] all = Space.uniform(4, 3).enumerate();
    assertThat(table.cells()).isEqualTo(all.length);
    for (int cell = 0; cell < all.length; cell++) {
      assertThat(table.row(cell)).isEqualTo(all[cell]);
      assertThat(table.cell(all[cell])).isEqualTo(cell);
      assertThat(table.logProb(all[cell])).isEqualTo(Math.log(table.probability(cell)));
    }
    assertThat(table.logProb(all)[5]).isEqualTo(table.logProb(all[5]));
  }

  @Test
  void aSeedNamesATable() {
    var table = FullRankTable.random(2, 2, 7);
    var same = FullRankTable.random(2, 2, 7);
    var other = FullRankTable.random(2, 2, 8);
    assertThat(table.probability(3)).isEqualTo(same.probability(3));
    assertThat(table.probability(3)).isNotEqualTo(other.probability(3));
  }

  @ParameterizedTest
  @CsvSource({"2, 2", "3, 2", "2, 5"})
  void tablesAreDirichlet(int d, int k) {
    // Under Dirichlet(1, ..., 1) over N cells the entropy is H_N - 1 on average, H_N the harmonic
    // number; a cell lies below x with probability 1 - (1 - x)^(N - 1).
    int n = (int) Math.pow(k, d);
    double expected = -1;
    for (int i = 1; i <= n; i++) {
      expected += 1.0 / i;
    }
    int seeds = 20_000;
    double sum = 0;
    double squares = 0;
    int[] tenths = new int[10];
    double[] uniform = new double[10];
    Arrays.fill(uniform, 0.1);
    for (int seed = 0; seed < seeds; seed++) {
      var table = FullRankTable.random(d, k, seed);
      double entropy = table.entropy();
      sum += entropy;
      squares += entropy * entropy;
      double quantile = 1 - Math.pow(1 - table.probability(seed % n), n - 1);
      tenths[Math.min(9, (int) (10 * quantile))]++;
    }
    double mean = sum / seeds;
    double standardError = Math.sqrt((squares / seeds - mean * mean) / seeds);
    assertThat(mean).isCloseTo(expected, within(4 * standardError));
    assertThat(standardError).isLessThan(0.005);
    assertThat(ChiSquare.of(tenths, uniform).pValue()).isGreaterThan(ChiSquare.ACCEPTED);
  }

  @ParameterizedTest
  @CsvSource({"5, 5, 7.6246", "5, 10, 11.0901"})
  void largeTablesAreAsRandomAsTheirSizeSays(int d, int k, double harmonicLessOne) {
    // The standard deviation of the entropy falls as the root of the number of cells.
    double spread = 4 / Math.sqrt(Math.pow(k, d));
    assertThat(FullRankTable.random(d, k, 1).entropy()).isCloseTo(harmonicLessOne, within(spread));
  }

  @ParameterizedTest
  @CsvSource({"1, 7", "2, 2", "5, 3", "3, 6", "10, 2"})
  void entropiesAgreeWithPlainSums(int d, int k) {
    var table = FullRankTable.random(d, k, 3);
    double[] p = probabilities(table);
    assertThat(Arrays.stream(p).sum()).isCloseTo(1, within(1e-13));
    assertThat(table.entropy()).isCloseTo(Entropy.of(p), within(1e-12));
    double[] marginals = table.marginalEntropies();
    double[] conditionals = table.conditionalEntropies();
    double before = 0;
    for (int t = 0; t < d; t++) {
      double[] marginal = new double[k];
      double[] prefix = new double[(int) Math.pow(k, t + 1)];
      for (int cell = 0; cell < p.length; cell++) {
        int[] row = table.row(cell);
        marginal[row[t]] += p[cell];
        int head = 0;
        for (int i = 0; i <= t; i++) {
          head = head * k + row[i];
        }
        prefix[head] += p[cell];
      }
      assertThat(marginals[t]).isCloseTo(Entropy.of(marginal), within(1e-12));
      // The chain rule: H(x_t | x_<t) = H(x_<=t) - H(x_<t).
      assertThat(conditionals[t]).isCloseTo(Entropy.of(prefix) - before, within(1e-12));
      before = Entropy.of(prefix);
    }
    assertThat(Arrays.stream(conditionals).sum()).isCloseTo(table.entropy(), within(1e-12));
    assertThat(table.factorised()).isGreaterThanOrEqualTo(table.entropy());
  }

  @ParameterizedTest
  @CsvSource({"2, 2", "1, 17", "3, 6", "8, 2"})
  void samplesFollowTheTable(int d, int k) {
    var table = FullRankTable.random(d, k, 11);
    int[] counts = new int[table.cells()];
    for (int[] row : table.sample(200_000, new SplittableRandom(2))) {
      counts[table.cell(row)]++;
    }
    assertThat(ChiSquare.of(counts, probabilities(table)).pValue())
        .isGreaterThan(ChiSquare.ACCEPTED);
    double[] other = probabilities(FullRankTable.random(d, k, 12));
    assertThat(ChiSquare.of(counts, other).pValue()).isLessThan(ChiSquare.REJECTED);
    // The heaviest cell alone, wrong by a third.
    double[] wrong = probabilities(table);
    int heaviest = 0;
    for (int cell = 1; cell < wrong.length; cell++) {
      heaviest = wrong[cell] > wrong[heaviest] ? cell : heaviest;
    }
    int next = (heaviest + 1) % wrong.length;
    double moved = wrong[heaviest] / 3;
    wrong[heaviest] -= moved;
    wrong[next] += moved;
    assertThat(ChiSquare.of(counts, wrong).pValue()).isLessThan(ChiSquare.REJECTED);
  }

  @Test
  void cellsThatCannotOccurAreNeverDrawn() {
    double[] p = new double[64];
    p[5] = 0.25;
    p[20] = 0.5;
    p[63] = 0.25;
    var table = FullRankTable.of(6, 2, p);
    int[] counts = new int[64];
    for (int[] row : table.sample(10_000, new SplittableRandom(2))) {
      counts[table.cell(row)]++;
    }
    assertThat(counts[5] + counts[20] + counts[63]).isEqualTo(10_000);
    assertThat(ChiSquare.of(counts, p).pValue()).isGreaterThan(ChiSquare.ACCEPTED);
  }

  @ParameterizedTest
  @CsvSource({"2, 2", "7, 5", "17, 2"})
  void crossEntropyIsExactAcrossBlocks(int d, int k) {
    var table = FullRankTable.random(d, k, 5);
    assertThat(table.crossEntropy(table::logProb)).isCloseTo(table.entropy(), within(1e-12));
    double uniform = d * Math.log(k);
    assertThat(
            table.crossEntropy(
                rows -> {
                  assertThat(rows.length).isLessThanOrEqualTo(65_536);
                  double[] logs = new double[rows.length];
                  Arrays.fill(logs, -uniform);
                  return logs;
                }))
        .isCloseTo(uniform, within(1e-12));
    // Its value depends on each row's own score: -log q = x_0 makes it the mean of x_0.
    double mean = 0;
    for (int cell = 0; cell < table.cells(); cell++) {
      mean += table.probability(cell) * table.row(cell)[0];
    }
    assertThat(
            table.crossEntropy(rows -> Arrays.stream(rows).mapToDouble(row -> -row[0]).toArray()))
        .isCloseTo(mean, within(1e-11));
  }

  /**
   * Chi-square over the cells; what is sampled does not depend on how it is spread over threads.
   */
  @Test
  void countsFollowTheTable() {
    long rows = 9_000_000; // more than two chunks
    var table = FullRankTable.random(4, 4, 3);
    int[] counts = table.sampleCounts(rows, 5);
    assertThat(table.sampleCounts(rows, 5)).isEqualTo(counts);
    assertThat(table.sampleCounts(rows, 6)).isNotEqualTo(counts);
    double chiSquare = 0;
    long sum = 0;
    for (int cell = 0; cell < counts.length; cell++) {
      double expected = rows * table.probability(cell);
      chiSquare += (counts[cell] - expected) * (counts[cell] - expected) / expected;
      sum += counts[cell];
    }
    assertThat(sum).isEqualTo(rows);
    // 255 degrees of freedom: 255 on average, with a deviation of 22.6.
    assertThat(chiSquare).isBetween(255 - 5 * 22.6, 255 + 5 * 22.6);
  }

  @Test
  void countsAreOfCellsThatCanOccur() {
    var table = FullRankTable.of(2, 2, 0, 0.25, 0.75, 0);
    int[] counts = table.sampleCounts(100_000, 1);
    assertThat(counts[0]).isZero();
    assertThat(counts[3]).isZero();
    assertThat(counts[1] / 100_000.0).isBetween(0.24, 0.26);
    assertThat(counts[1] + counts[2]).isEqualTo(100_000);
    assertThat(table.sampleCounts(0, 1)).containsOnly(0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> table.sampleCounts(-1, 1))
        .withMessage("rows must not be negative, but is -1");
  }

  @Test
  void impossibleCellsCostNothingAndImpossibleModelsEverything() {
    var half = FullRankTable.of(2, 2, 0.5, 0, 0, 0.5);
    assertThat(half.crossEntropy(half::logProb)).isCloseTo(Math.log(2), within(1e-15));
    assertThat(xor.crossEntropy(half::logProb)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(half.conditionalEntropies())
        .containsExactly(new double[] {Math.log(2), 0}, within(1e-15));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> xor.crossEntropy(rows -> new double[3]))
        .withMessageContaining("4")
        .withMessageContaining("3");
  }

  @Test
  void estimatesAgreeWithTheExactCrossEntropy() {
    var p = FullRankTable.random(4, 4, 1);
    var q = FullRankTable.random(4, 4, 2);
    int[][] rows = p.sample(20_000, new SplittableRandom(9));
    Estimate estimate = Estimate.crossEntropy(p.entropy(), p.logProb(rows), q.logProb(rows));
    assertThat(estimate.value())
        .isCloseTo(p.crossEntropy(q::logProb), within(4 * estimate.standardError()));
    assertThat(estimate.standardError()).isBetween(0.005, 0.02);
  }

  @Test
  void refusesWhatIsNoTable() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FullRankTable.random(0, 2, 1))
        .withMessageContaining("d must");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FullRankTable.random(2, 1, 1))
        .withMessageContaining("k must");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FullRankTable.random(8, 8, 1))
        .withMessageContaining("8^8")
        .withMessageContaining("10000000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FullRankTable.of(2, 2, 0.5, 0.5))
        .withMessageContaining("4")
        .withMessageContaining("2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FullRankTable.of(1, 2, 1.5, -0.5))
        .withMessageContaining("-0.5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FullRankTable.of(1, 2, 0.5, 0.6))
        .withMessageContaining("1.1");
    assertThatIllegalArgumentException().isThrownBy(() -> xor.row(4)).withMessageContaining("0..3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> xor.logProb(new int[] {0, 2}))
        .withMessageContaining("row[1]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> xor.logProb(new int[] {0}))
        .withMessageContaining("2 symbols");
  }

  private static double[] probabilities(FullRankTable table) {
    double[] p = new double[table.cells()];
    Arrays.setAll(p, table::probability);
    return p;
  }
}
