package io.ringflow.paper.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.testing.ChiSquare;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class PottsLatticeTest {
  // Computed elsewhere, by other code, to three decimals.
  @ParameterizedTest
  @CsvSource({
    "3, 3, 0.1,  9.874,  9.866",
    "3, 3, 0.2,  9.831,  9.794",
    "3, 3, 0.5,  9.499,  9.048",
    "3, 3, 1.0,  7.891,  3.984",
    "3, 4, 0.1, 12.465, 12.459",
    "3, 4, 0.2, 12.428, 12.398",
    "3, 4, 0.5, 12.136, 11.795",
    "3, 4, 1.0, 10.661,  6.194",
    "3, 5, 0.1, 14.475, 14.470",
    "3, 5, 0.2, 14.443, 14.418",
    "3, 5, 0.5, 14.188, 13.919",
    "3, 5, 1.0, 12.879,  8.535",
    "4, 3, 0.1, 17.550, 17.541",
    "4, 3, 0.2, 17.466, 17.426",
    "4, 3, 0.5, 16.792, 16.395",
    "4, 3, 1.0, 13.282,  6.796"
  })
  void entropyAgreesWithKnownFigures(
      int side, int states, double beta, double open, double periodic) {
    assertThat(PottsLattice.open(side, states, beta).entropy()).isCloseTo(open, within(1e-3));
    assertThat(PottsLattice.periodic(side, states, beta).entropy())
        .isCloseTo(periodic, within(1e-3));
  }

  @Test
  void twoByTwoIsAFourCycle() {
    // Of the 16 rows 2 have four equal pairs, 2 (the chessboards) have none, the others two.
    double beta = 0.7;
    double z = 2 * Math.exp(4 * beta) + 12 * Math.exp(2 * beta) + 2;
    double slope = 8 * Math.exp(4 * beta) + 24 * Math.exp(2 * beta);
    var open = PottsLattice.open(2, 2, beta);
    assertThat(open.logPartition()).isCloseTo(Math.log(z), within(1e-14));
    assertThat(open.meanEqualPairs()).isCloseTo(slope / z, within(1e-14));
    assertThat(open.entropy()).isCloseTo(Math.log(z) - beta * slope / z, within(1e-14));
    assertThat(open.logProb(new int[] {1, 1, 1, 1}))
        .isCloseTo(4 * beta - Math.log(z), within(1e-14));
    // On the torus each of the four pairs is joined twice.
    var torus = PottsLattice.periodic(2, 2, beta / 2);
    assertThat(torus.logPartition()).isCloseTo(Math.log(z), within(1e-14));
    assertThat(torus.meanEqualPairs()).isCloseTo(2 * slope / z, within(1e-14));
    assertThat(torus.neighbours().get(0)).containsExactly(2, 1, 1, 2);
  }

  static Stream<PottsLattice> small() {
    return Stream.of(
        PottsLattice.open(2, 2, 0.3),
        PottsLattice.open(2, 5, 1),
        PottsLattice.periodic(2, 3, 0.8),
        PottsLattice.open(3, 2, -0.6),
        PottsLattice.periodic(3, 2, -0.9),
        PottsLattice.open(3, 3, 1.1),
        PottsLattice.periodic(3, 3, 0.4),
        PottsLattice.open(4, 2, 0.5),
        PottsLattice.periodic(4, 2, 0.9));
  }

  @ParameterizedTest
  @MethodSource("small")
  void agreesWithEnumeration(PottsLattice lattice) {
    var z = new CompensatedSum();
    var pairs = new CompensatedSum();
    var probability = new CompensatedSum();
    var entropy = new CompensatedSum();
    for (int[] row : lattice.space().enumerate()) {
      int equal = lattice.equalPairs(row);
      double weight = Math.exp(lattice.beta() * equal);
      z.add(weight);
      pairs.add(equal * weight);
      probability.add(Math.exp(lattice.logProb(row)));
      entropy.add(Entropy.term(Math.exp(lattice.logProb(row))));
    }
    assertThat(lattice.logPartition()).isCloseTo(Math.log(z.value()), within(1e-12));
    assertThat(lattice.meanEqualPairs()).isCloseTo(pairs.value() / z.value(), within(1e-12));
    assertThat(probability.value()).isCloseTo(1, within(1e-12));
    assertThat(lattice.entropy()).isCloseTo(entropy.value(), within(1e-12));
  }

  @Test
  void neighboursAreTheSitesBeside() {
    List<List<Integer>> open = PottsLattice.open(3, 2, 1).neighbours();
    assertThat(open.get(0)).containsExactly(1, 3);
    assertThat(open.get(4)).containsExactly(1, 3, 5, 7);
    assertThat(open.get(5)).containsExactly(2, 4, 8);
    List<List<Integer>> torus = PottsLattice.periodic(3, 2, 1).neighbours();
    assertThat(torus.get(0)).containsExactly(6, 2, 1, 3);
    assertThat(torus.get(8)).containsExactly(5, 7, 6, 2);
  }

  @Test
  void pairsAreCountedOnce() {
    int[] stripes = {0, 0, 0, 1, 1, 1, 0, 0, 0};
    assertThat(PottsLattice.open(3, 2, 1).equalPairs(stripes)).isEqualTo(6);
    assertThat(PottsLattice.periodic(3, 2, 1).equalPairs(stripes)).isEqualTo(12);
    assertThat(PottsLattice.open(3, 2, 1).equalPairs(new int[9])).isEqualTo(12);
    assertThat(PottsLattice.periodic(3, 2, 1).equalPairs(new int[9])).isEqualTo(18);
  }

  // The paper's table: the column "AR Base".
  @ParameterizedTest
  @CsvSource({
    "3, 3, 0.1, 9.27",
    "3, 3, 0.5, 3.79",
    "4, 3, 0.1, 16.66",
    "4, 3, 0.5, 6.30",
    "3, 4, 0.1, 11.64",
    "3, 4, 0.5, 5.87",
    "3, 5, 0.1, 13.58",
    "3, 5, 0.5, 7.94"
  })
  void thePapersReadingIsTheNearest(int side, int states, double coupling, double published) {
    var paper = PottsLattice.paper(side, states, coupling);
    assertThat(paper.beta()).isEqualTo(2 * coupling);
    assertThat(published / paper.entropy()).isBetween(0.92, 0.96);
    if (coupling == 0.5) {
      assertThat(published / PottsLattice.open(side, states, 1).entropy()).isLessThan(2.0 / 3);
      assertThat(published / PottsLattice.open(side, states, 0.5).entropy()).isLessThan(2.0 / 3);
      assertThat(published / PottsLattice.periodic(side, states, 0.5).entropy())
          .isLessThan(2.0 / 3);
    }
  }

  @Test
  void everySiteAloneIsUniform() {
    var lattice = PottsLattice.open(3, 3, 0.8);
    double[] corner = new double[3];
    for (int[] row : lattice.space().enumerate()) {
      corner[row[0]] += Math.exp(lattice.logProb(row));
    }
    assertThat(9 * Entropy.of(corner)).isCloseTo(lattice.factorised(), within(1e-10));
    assertThat(lattice.factorised()).isGreaterThan(lattice.entropy());
    assertThat(PottsLattice.open(3, 3, 0).entropy()).isCloseTo(9 * Math.log(3), within(1e-12));
  }

  @Test
  void holdsAtTheEdgeOfItsRange() {
    // Almost all weight lies on the K rows of one symbol.
    assertThat(PottsLattice.periodic(3, 5, 33).entropy()).isCloseTo(Math.log(5), within(1e-9));
    // Three sites on a ring of two symbols always leave one pair equal.
    assertThat(PottsLattice.periodic(3, 2, -33).meanEqualPairs()).isCloseTo(6, within(1e-9));
    assertThat(PottsLattice.open(8, 2, -5).meanEqualPairs()).isBetween(0.0, 1.0);
  }

  @ParameterizedTest
  @MethodSource("small")
  void samplesFollowTheExactDistribution(PottsLattice lattice) {
    int[][] rows = lattice.sample(100_000, new SplittableRandom(2));
    assertThat(byRow(lattice, rows)).isGreaterThan(ChiSquare.ACCEPTED);
    assertThat(byEqualPairs(lattice, rows)).isGreaterThan(ChiSquare.ACCEPTED);
  }

  @Test
  void theTestOfSamplesFindsAWrongModel() {
    var lattice = PottsLattice.periodic(3, 3, 0.4);
    // 19,683 kinds of rows are a blunt instrument, the number of equal pairs is a sharp one.
    int[][] wrongByFar = PottsLattice.periodic(3, 3, 0.5).sample(100_000, new SplittableRandom(2));
    assertThat(byRow(lattice, wrongByFar)).isLessThan(ChiSquare.REJECTED);
    int[][] wrong = PottsLattice.periodic(3, 3, 0.42).sample(100_000, new SplittableRandom(2));
    assertThat(byEqualPairs(lattice, wrong)).isLessThan(ChiSquare.REJECTED);
    int[][] open = PottsLattice.open(3, 3, 0.4).sample(100_000, new SplittableRandom(2));
    assertThat(byRow(lattice, open)).isLessThan(ChiSquare.REJECTED);
  }

  private static double byRow(PottsLattice lattice, int[][] rows) {
    return ChiSquare.of(counts(lattice, rows), probabilities(lattice)).pValue();
  }

  private static double byEqualPairs(PottsLattice lattice, int[][] rows) {
    double[] p = new double[2 * lattice.sites() + 1];
    for (int[] row : lattice.space().enumerate()) {
      p[lattice.equalPairs(row)] += Math.exp(lattice.logProb(row));
    }
    int[] counts = new int[p.length];
    for (int[] row : rows) {
      counts[lattice.equalPairs(row)]++;
    }
    return ChiSquare.of(counts, p).pValue();
  }

  // Too large for a histogram of rows: sites, pairs of sites, the mean number of equal pairs.
  @ParameterizedTest
  @CsvSource({"3, 5, true", "3, 5, false", "4, 3, true", "4, 3, false"})
  void samplesOfThePapersSizesHaveTheExactMarginals(int side, int states, boolean periodic) {
    var lattice =
        periodic ? PottsLattice.periodic(side, states, 0.6) : PottsLattice.open(side, states, 0.6);
    int n = 100_000;
    int[][] rows = lattice.sample(n, new SplittableRandom(3));
    double[] uniform = new double[states];
    Arrays.fill(uniform, 1.0 / states);
    double sum = 0;
    double squares = 0;
    for (int site = 0; site < lattice.sites(); site++) {
      int[] counts = new int[states];
      for (int[] row : rows) {
        counts[row[site]]++;
      }
      assertThat(ChiSquare.of(counts, uniform).pValue()).isGreaterThan(ChiSquare.ACCEPTED);
    }
    for (int[] row : rows) {
      int pairs = lattice.equalPairs(row);
      sum += pairs;
      squares += (double) pairs * pairs;
    }
    double mean = sum / n;
    double standardError = Math.sqrt((squares / n - mean * mean) / n);
    assertThat(mean).isCloseTo(lattice.meanEqualPairs(), within(4 * standardError));
    // Small enough to find a beta that is wrong by a tenth.
    var wrong =
        periodic
            ? PottsLattice.periodic(side, states, 0.54)
            : PottsLattice.open(side, states, 0.54);
    assertThat(Math.abs(mean - wrong.meanEqualPairs())).isGreaterThan(10 * standardError);
    if (periodic) {
      // On the torus all pairs are alike, the one that closes the ring included.
      double equal = lattice.meanEqualPairs() / (2 * lattice.sites());
      for (int[] pair : new int[][] {{0, 1}, {0, side - 1}, {0, side}, {0, side * (side - 1)}}) {
        int[] counts = new int[2];
        for (int[] row : rows) {
          counts[row[pair[0]] == row[pair[1]] ? 1 : 0]++;
        }
        assertThat(ChiSquare.of(counts, new double[] {1 - equal, equal}).pValue())
            .isGreaterThan(ChiSquare.ACCEPTED);
      }
    }
  }

  @Test
  void sameSeedSameSamples() {
    var lattice = PottsLattice.paper(3, 4, 0.5);
    assertThat(lattice.sample(50, new SplittableRandom(7)))
        .isDeepEqualTo(lattice.sample(50, new SplittableRandom(7)));
    assertThat(lattice.metropolis(50, 20, new SplittableRandom(7)))
        .isDeepEqualTo(lattice.metropolis(50, 20, new SplittableRandom(7)));
  }

  @Test
  void logProbOfManyRowsIsThatOfEach() {
    var lattice = PottsLattice.paper(3, 4, 0.5);
    int[][] rows = lattice.sample(20, new SplittableRandom(1));
    double[] logs = lattice.logProb(rows);
    for (int i = 0; i < rows.length; i++) {
      assertThat(logs[i]).isEqualTo(lattice.logProb(rows[i]));
    }
  }

  @Test
  void refusesWhatItCannotSolve() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PottsLattice.open(1, 3, 1))
        .withMessageContaining("side")
        .withMessageContaining("1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PottsLattice.open(3, 1, 1))
        .withMessageContaining("states");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PottsLattice.open(5, 5, 1))
        .withMessageContaining("3.13e+03")
        .withMessageContaining("512");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PottsLattice.open(3, 3, Double.NaN))
        .withMessageContaining("NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PottsLattice.periodic(3, 3, 34))
        .withMessageContaining("34");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PottsLattice.open(2, 2, 1).logProb(new int[] {0, 1, 2, 0}))
        .withMessageContaining("symbol 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PottsLattice.open(2, 2, 1).equalPairs(new int[3]))
        .withMessageContaining("3 symbols");
  }

  static double[] probabilities(PottsLattice lattice) {
    return Arrays.stream(lattice.space().enumerate())
        .mapToDouble(row -> Math.exp(lattice.logProb(row)))
        .toArray();
  }

  static int[] counts(PottsLattice lattice, int[][] rows) {
    int[] counts = new int[(int) lattice.space().cells()];
    for (int[] row : rows) {
      int cell = 0;
      for (int symbol : row) {
        cell = cell * lattice.states() + symbol;
      }
      counts[cell]++;
    }
    return counts;
  }
}
