package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExactInferenceTest {
  private static final double IMPOSSIBLE = Double.NEGATIVE_INFINITY;

  /** The plain sum over all rows, without any of the code under test. */
  private static ExactAnswer summed(FactorGraph graph) {
    int[][] rows = graph.space().enumerate();
    double[] logs = graph.logWeights(rows);
    double max = Arrays.stream(logs).max().orElseThrow();
    double[][] marginals =
        graph.space().cardinalities().stream().map(double[]::new).toArray(double[][]::new);
    double sum = 0;
    for (int i = 0; i < rows.length; i++) {
      double weight = max == IMPOSSIBLE ? 0 : Math.exp(logs[i] - max);
      sum += weight;
      for (int d = 0; d < marginals.length; d++) {
        marginals[d][rows[i][d]] += weight;
      }
    }
    for (double[] marginal : marginals) {
      for (int symbol = 0; symbol < marginal.length; symbol++) {
        marginal[symbol] /= sum;
      }
    }
    return new ExactAnswer(max + Math.log(sum), marginals);
  }

  @Test
  void theMostLikelyRowIsThatOfAllRows() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 300; i++) {
      FactorGraph graph = randomGraph(random);
      MostLikely found = ExactInference.mostLikely(graph);
      double best = Arrays.stream(graph.logWeights(graph.space().enumerate())).max().orElseThrow();
      if (best == IMPOSSIBLE) {
        assertThat(found.logWeight()).isEqualTo(IMPOSSIBLE);
      } else {
        assertThat(found.logWeight()).isCloseTo(best, within(1e-10));
      }
      assertThat(graph.logWeights(new int[][] {found.row()})[0]).isEqualTo(found.logWeight());
    }
  }

  /**
   * A lattice too large to enumerate: without a field all spins are alike, with one they are up.
   */
  @Test
  void theMostLikelyRowOfALatticeIsItsGroundState() {
    MostLikely up = ExactInference.mostLikely(SpinModels.ising(Lattice.torus(6), 0.44, 1, 0.1));
    assertThat(up.row()).containsOnly(1);
    assertThat(up.logWeight()).isCloseTo(0.44 * (72 + 0.1 * 36), within(1e-10));
  }

  private static void assertSame(ExactAnswer actual, ExactAnswer expected) {
    if (expected.logZ() == IMPOSSIBLE) {
      assertThat(actual.logZ()).isEqualTo(IMPOSSIBLE);
    } else {
      assertThat(actual.logZ()).isCloseTo(expected.logZ(), within(1e-10));
    }
    assertThat(actual.marginals().length).isEqualTo(expected.marginals().length);
    for (int d = 0; d < expected.marginals().length; d++) {
      assertThat(actual.marginals()[d])
          .as("position %d", d)
          .containsExactly(expected.marginals()[d], within(1e-10));
    }
  }

  /** A tree, a ring or factors at random of up to four positions, in an order at random. */
  private static FactorGraph randomGraph(SplittableRandom random) {
    int positions = random.nextInt(1, 9);
    Space space =
        new Space(IntStream.range(0, positions).mapToObj(d -> random.nextInt(1, 5)).toList());
    List<Integer> shuffled = new ArrayList<>(IntStream.range(0, positions).boxed().toList());
    Collections.shuffle(shuffled, new Random(random.nextLong()));
    List<Factor> factors = new ArrayList<>();
    int kind = random.nextInt(3);
    for (int i = 1; i < positions && kind < 2; i++) {
      int other = kind == 0 ? random.nextInt(i) : i - 1;
      factors.add(randomFactor(random, space, List.of(shuffled.get(i), shuffled.get(other))));
    }
    if (kind == 1 && positions > 2) {
      factors.add(
          randomFactor(random, space, List.of(shuffled.get(0), shuffled.get(positions - 1))));
    }
    int more = random.nextInt(kind == 2 ? 10 : 3);
    for (int i = 0; i < more; i++) {
      Collections.shuffle(shuffled, new Random(random.nextLong()));
      int arity = random.nextInt(kind == 2 ? Math.min(positions, 4) + 1 : 2);
      factors.add(randomFactor(random, space, shuffled.subList(0, arity)));
    }
    Collections.shuffle(factors, new Random(random.nextLong()));
    return new FactorGraph(space, factors);
  }

  private static Factor randomFactor(SplittableRandom random, Space space, List<Integer> scope) {
    double zeros = random.nextInt(3) == 0 ? 0.4 : 0;
    double scale = random.nextInt(4) == 0 ? 400 : 2; // 400: beyond the range of plain doubles
    double[] values = new double[(int) space.select(scope).cells()];
    Arrays.setAll(
        values, i -> random.nextDouble() < zeros ? IMPOSSIBLE : random.nextDouble(-scale, scale));
    return new Factor(scope, values);
  }

  @Test
  void randomGraphsAgreeWithPlainSums() {
    int impossible = 0;
    for (int seed = 0; seed < 200; seed++) {
      FactorGraph graph = randomGraph(new SplittableRandom(seed));
      ExactAnswer expected = summed(graph);
      impossible += expected.logZ() == IMPOSSIBLE ? 1 : 0;
      assertSame(ExactInference.of(graph), expected);
      assertSame(ExactInference.enumerated(graph.space(), graph), expected);
      assertThat(ExactInference.largestTable(graph)).isBetween(1L, graph.space().cells());
    }
    assertThat(impossible).isBetween(5, 50); // both kinds were tried
  }

  @Test
  void spinGlassAgreesWithEnumeration() {
    FactorGraph graph = SpinModels.sherringtonKirkpatrick(14, 2, 5);
    assertThat(ExactInference.largestTable(graph)).isEqualTo(1 << 14);
    assertSame(ExactInference.of(graph), ExactInference.enumerated(graph.space(), graph));
  }

  // Computed elsewhere, by other code.
  @ParameterizedTest
  @CsvSource({
    "3, 0.5,    23.901345",
    "3, 1.005,  34.171171",
    "3, 1.2,    39.846985",
    "4, 0.9,    32.866839",
    "4, 1.0986, 37.498601",
    "4, 1.3,    43.331755"
  })
  void pottsOnATorusOfFour(int states, double beta, double logZ) {
    ExactAnswer answer = ExactInference.of(SpinModels.potts(Lattice.torus(4), states, beta));
    assertThat(answer.logZ()).isCloseTo(logZ, within(1e-6));
    for (double[] marginal : answer.marginals()) {
      double[] uniform = new double[states];
      Arrays.fill(uniform, 1.0 / states);
      assertThat(marginal).containsExactly(uniform, within(1e-10)); // by symmetry
    }
  }

  @Test
  void isingOnATorusOfEight() {
    FactorGraph graph = SpinModels.ising(Lattice.torus(8), 0.44, 1, 0);
    assertThat(ExactInference.largestTable(graph)).isEqualTo(1 << 17);
    assertThat(ExactInference.of(graph).logZ()).isCloseTo(60.076308, within(1e-6));
    // By translation all sites are alike, and d log Z / d field is their mean spin times beta.
    double step = 1e-4;
    ExactAnswer answer = ExactInference.of(SpinModels.ising(Lattice.torus(8), 0.3, 1, 0.1));
    double spin = answer.marginals()[0][1] - answer.marginals()[0][0];
    for (double[] marginal : answer.marginals()) {
      assertThat(marginal[1] - marginal[0]).isCloseTo(spin, within(1e-10));
    }
    double up = ExactInference.of(SpinModels.ising(Lattice.torus(8), 0.3, 1, 0.1 + step)).logZ();
    double down = ExactInference.of(SpinModels.ising(Lattice.torus(8), 0.3, 1, 0.1 - step)).logZ();
    assertThat(spin).isCloseTo((up - down) / (2 * step) / (64 * 0.3), within(1e-6));
  }

  @Test
  void longChainsTakeSmallTables() {
    int sites = 20_000;
    FactorGraph graph = SpinModels.ising(new Lattice(1, sites, false), 0.7, 1, 0);
    assertThat(ExactInference.largestTable(graph)).isEqualTo(4);
    assertThat(ExactInference.of(graph).logZ())
        .isCloseTo(sites * Math.log(2) + (sites - 1) * Math.log(Math.cosh(0.7)), within(1e-7));
  }

  @Test
  void isolatedPositionsConstantsAndSingleSymbols() {
    FactorGraph graph =
        new FactorGraph(
            Space.of(3, 1, 2, 1),
            List.of(
                new Factor(List.of(), new double[] {0.5}),
                new Factor(List.of(1), new double[] {2}),
                new Factor(List.of(1, 2, 3), new double[] {0, Math.log(3)})));
    ExactAnswer answer = ExactInference.of(graph);
    assertThat(answer.logZ()).isCloseTo(2.5 + Math.log(3) + Math.log(4), within(1e-14));
    assertThat(answer.marginals()[0])
        .containsExactly(new double[] {1 / 3.0, 1 / 3.0, 1 / 3.0}, within(1e-14));
    assertThat(answer.marginals()[1]).containsExactly(1);
    assertThat(answer.marginals()[2]).containsExactly(new double[] {0.25, 0.75}, within(1e-14));
    assertThat(answer.marginals()[3]).containsExactly(1);
    assertSame(ExactInference.enumerated(graph.space(), graph), answer);
  }

  @Test
  void weightsBeyondTheRangeOfDoublesKeepTheirDigits() {
    // The symbols that the first two factors all but exclude are the ones the third asks for.
    FactorGraph graph =
        new FactorGraph(
            Space.of(2, 2, 2),
            List.of(
                new Factor(List.of(0, 1), new double[] {0, -2000, -2001, -2002}),
                new Factor(List.of(1, 2), new double[] {0, -3000, -3001, -3002}),
                new Factor(List.of(2), new double[] {-9000, 0})));
    assertSame(ExactInference.of(graph), summed(graph));
    FactorGraph tiny =
        new FactorGraph(
            Space.of(2, 2),
            List.of(new Factor(List.of(0, 1), new double[] {-5000, -5001, -5002, -5003})));
    assertSame(ExactInference.of(tiny), summed(tiny));
  }

  @Test
  void noPositionsAtAll() {
    FactorGraph graph =
        new FactorGraph(Space.NONE, List.of(new Factor(List.of(), new double[] {-1.25})));
    assertThat(ExactInference.of(graph).logZ()).isEqualTo(-1.25);
    assertThat(ExactInference.of(graph).marginals()).isEmpty();
    assertThat(ExactInference.enumerated(Space.NONE, graph).logZ()).isEqualTo(-1.25);
  }

  @Test
  void impossibleGraphs() {
    Factor differ = new Factor(List.of(0, 1), new double[] {IMPOSSIBLE, 0, 0, IMPOSSIBLE});
    Factor equal = new Factor(List.of(1, 0), new double[] {0, IMPOSSIBLE, IMPOSSIBLE, 0});
    FactorGraph graph = new FactorGraph(Space.of(2, 2, 3), List.of(differ, equal));
    for (ExactAnswer answer :
        List.of(ExactInference.of(graph), ExactInference.enumerated(graph.space(), graph))) {
      assertThat(answer.logZ()).isEqualTo(IMPOSSIBLE);
      assertThat(answer.marginals()[0]).containsOnly(Double.NaN).hasSize(2);
      assertThat(answer.marginals()[2]).containsOnly(Double.NaN).hasSize(3);
    }
  }

  @Test
  void graphsTooLargeAreRefused() {
    FactorGraph twenty = SpinModels.ising(Lattice.torus(20), 0.4, 1, 0);
    assertThat(ExactInference.largestTable(twenty)).isEqualTo(1L << 41);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExactInference.of(twenty))
        .withMessage(
            "too large to answer exactly: a table of 2^41 entries, but at most 2^26 are computed");
    FactorGraph three = SpinModels.potts(Lattice.torus(8), 3, 1);
    assertThat(ExactInference.largestTable(three)).isEqualTo(129_140_163); // 3^17
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExactInference.of(three))
        .withMessageContaining("a table of 2^26.9 entries");
    FactorGraph forty = SpinModels.ising(Lattice.torus(40), 0.4, 1, 0);
    assertThat(ExactInference.largestTable(forty)).isEqualTo(Long.MAX_VALUE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExactInference.of(forty))
        .withMessageContaining("a table of more than 2^62 entries");
  }

  @Test
  void tablesBeyondTheHeapAreRefused() {
    FactorGraph graph = SpinModels.ising(Lattice.torus(12), 0.4, 1, 0);
    Elimination elimination = Elimination.of(graph); // tables of 2^25 entries, over and over
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExactInference.checkMemory(graph.space(), elimination, 1L << 31))
        .withMessageMatching(
            "too large to answer exactly: tables of \\d+\\.\\d\\d GiB, but the heap has 2.00 GiB");
    assertThatNoException()
        .isThrownBy(() -> ExactInference.checkMemory(graph.space(), elimination, 1L << 36));
  }

  @Test
  void spacesTooLargeAreNotEnumerated() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExactInference.enumerated(Space.uniform(400, 2), rows -> null))
        .withMessage("too large to enumerate: a space of 2^400 rows, but at most 2^24 are weighed");
  }

  @Test
  void enumerationTakesAnyTargetInBlocks() {
    Space space = Space.of(5, 7, 1000); // 35,000 rows: several blocks, the last one not whole
    Target target =
        rows -> Arrays.stream(rows).mapToDouble(row -> 900 + Math.log(1 + row[2])).toArray();
    ExactAnswer answer = ExactInference.enumerated(space, target);
    assertThat(answer.logZ()).isCloseTo(900 + Math.log(35 * 500_500.0), within(1e-10));
    assertThat(answer.marginals()[1][6]).isCloseTo(1 / 7.0, within(1e-12));
    assertThat(answer.marginals()[2][999]).isCloseTo(1000 / 500_500.0, within(1e-12));
  }

  @Test
  void mistakesOfTargetsAreNamed() {
    Space space = Space.of(2, 3);
    assertThatIllegalStateException()
        .isThrownBy(() -> ExactInference.enumerated(space, withOne(Double.NaN)))
        .withMessage(
            "the target's log-weights must be numbers or minus infinity, but that of row [1, 2] is"
                + " NaN");
    assertThatIllegalStateException()
        .isThrownBy(() -> ExactInference.enumerated(space, withOne(Double.POSITIVE_INFINITY)))
        .withMessageEndingWith("but that of row [1, 2] is Infinity");
    assertThatIllegalStateException()
        .isThrownBy(() -> ExactInference.enumerated(space, rows -> new double[5]))
        .withMessage("the target must return a log-weight for each row, but returned 5 for 6 rows");
  }

  /** Zero for all rows but [1, 2]. */
  private static Target withOne(double logWeight) {
    return rows ->
        Arrays.stream(rows).mapToDouble(row -> row[0] + row[1] == 3 ? logWeight : 0).toArray();
  }

  @Test
  void interruptionEndsTheWork() {
    FactorGraph graph = SpinModels.ising(Lattice.torus(4), 0.4, 1, 0);
    try {
      Thread.currentThread().interrupt();
      assertThatExceptionOfType(CancellationException.class)
          .isThrownBy(() -> ExactInference.of(graph));
      assertThatExceptionOfType(CancellationException.class)
          .isThrownBy(() -> ExactInference.enumerated(graph.space(), graph));
    } finally {
      Thread.interrupted();
    }
  }
}
