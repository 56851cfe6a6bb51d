package io.ringflow.paper.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Mask;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BipartiteOracleTest {
  @Test
  void thePapersXorTableIsSolved() {
    var table = FullRankTable.of(2, 2, 0.63, 0.07, 0.03, 0.27);
    var oracle = new BipartiteOracle(table);
    assertThat(oracle.anyRelabelling()).isCloseTo(table.entropy(), within(1e-14));
    assertThat(oracle.bestSingleLayer(Mask.even(2))).isCloseTo(table.entropy(), within(1e-14));
    // Given the second bit, the first is right in 63 of 66 cases and in 27 of 34.
    assertThat(oracle.bestSingleLayer(Mask.odd(2)))
        .isCloseTo(binary(0.66) + binary(0.63 + 0.27), within(1e-14));
  }

  private static double binary(double p) {
    return Entropy.of(new double[] {p, 1 - p});
  }

  @Test
  void fourLocationLayersReachAllRelabellingsOfTwoBits() {
    assertThat(reached(4)).hasSize(24);
    // Three would do; two are not enough.
    assertThat(reached(3)).hasSize(24);
    assertThat(reached(2)).hasSize(16);
  }

  /** The relabellings of the cells 2 x0 + x1 by layers that move x1 and x0 in turn. */
  private static Set<List<Integer>> reached(int layers) {
    Set<List<Integer>> reached = new HashSet<>(Set.of(List.of(0, 1, 2, 3)));
    for (int layer = 0; layer < layers; layer++) {
      Set<List<Integer>> next = new HashSet<>();
      for (List<Integer> before : reached) {
        for (int shifts = 0; shifts < 4; shifts++) {
          List<Integer> after = new ArrayList<>();
          for (int cell : before) {
            int x0 = cell >> 1;
            int x1 = cell & 1;
            if (layer % 2 == 0) {
              x1 ^= shifts >> x0 & 1;
            } else {
              x0 ^= shifts >> x1 & 1;
            }
            after.add(2 * x0 + x1);
          }
          next.add(after);
        }
      }
      reached = next;
    }
    return reached;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void twoBitsAgreeWithTheLayersThemselves(long seed) {
    var table = FullRankTable.random(2, 2, seed);
    double lowest = Double.POSITIVE_INFINITY;
    for (List<Integer> labels : reached(4)) {
      double first = 0;
      double second = 0;
      for (int cell = 0; cell < 4; cell++) {
        first += labels.get(cell) >> 1 == 0 ? table.probability(cell) : 0;
        second += (labels.get(cell) & 1) == 0 ? table.probability(cell) : 0;
      }
      lowest = Math.min(lowest, binary(first) + binary(second));
    }
    var oracle = new BipartiteOracle(table);
    assertThat(oracle.anyRelabelling()).isCloseTo(lowest, within(1e-14));
    assertThat(oracle.anyRelabelling())
        .isBetween(table.entropy(), oracle.bestSingleLayer(Mask.even(2)));
  }

  @Test
  void anyRelabellingOfThreeBitsIsBelowEverySingleLayer() {
    var table = FullRankTable.random(3, 2, 1);
    var oracle = new BipartiteOracle(table);
    double single =
        Math.min(oracle.bestSingleLayer(Mask.even(3)), oracle.bestSingleLayer(Mask.odd(3)));
    assertThat(oracle.anyRelabelling()).isBetween(table.entropy(), single);
    assertThat(single).isLessThan(table.factorised());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aSingleLayerAgreesWithTryingThemAll(long seed) {
    var table = FullRankTable.random(2, 3, seed);
    int[][] permutations = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    double anyPermutation = lowest(table, permutations);
    double anyShift = lowest(table, new int[][] {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}});
    var oracle = new BipartiteOracle(table);
    assertThat(oracle.bestSingleLayer(Mask.even(2))).isCloseTo(anyPermutation, within(1e-14));
    assertThat(oracle.bestSingleShift(Mask.even(2), 20, new SplittableRandom(1)))
        .isCloseTo(anyShift, within(1e-14));
  }

  /** Tries every choice of a map of the second symbol for each value of the first. */
  private static double lowest(FullRankTable table, int[][] maps) {
    double lowest = Double.POSITIVE_INFINITY;
    for (int[] first : maps) {
      for (int[] second : maps) {
        for (int[] third : maps) {
          int[][] map = {first, second, third};
          double[] kept = new double[3];
          double[] moved = new double[3];
          for (int cell = 0; cell < 9; cell++) {
            int[] row = table.row(cell);
            kept[row[0]] += table.probability(cell);
            moved[map[row[0]][row[1]]] += table.probability(cell);
          }
          lowest = Math.min(lowest, Entropy.of(kept) + Entropy.of(moved));
        }
      }
    }
    return lowest;
  }

  @ParameterizedTest
  @ValueSource(strings = {"101", "010", "100", "011", "0101", "1010", "0110"})
  void bitsAgreeWithTryingEveryFlip(String bits) {
    var mask = new Mask(bits);
    int d = mask.size();
    var table = FullRankTable.random(d, 2, 6);
    double expected = 0;
    for (int t = 0; t < d; t++) {
      double lowest = Double.POSITIVE_INFINITY;
      int contexts = mask.keeps(t) ? 0 : 1 << mask.kept().size();
      for (int flips = 0; flips < 1 << contexts; flips++) {
        double one = 0;
        for (int cell = 0; cell < table.cells(); cell++) {
          int[] row = table.row(cell);
          int context = 0;
          for (int position : mask.kept()) {
            context = 2 * context + row[position];
          }
          int flip = mask.keeps(t) ? 0 : flips >> context & 1;
          one += (row[t] ^ flip) * table.probability(cell);
        }
        lowest = Math.min(lowest, binary(one));
      }
      expected += lowest;
    }
    var oracle = new BipartiteOracle(table);
    assertThat(oracle.bestSingleLayer(mask)).isCloseTo(expected, within(1e-13));
    // On bits a permutation is a shift.
    assertThat(oracle.bestSingleShift(mask, 50, new SplittableRandom(1)))
        .isCloseTo(expected, within(1e-13));
  }

  /** Layers on rows of symbols, by plain loops. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void severalLayersAgreeWithPlainLoops(long seed) {
    var table = FullRankTable.random(3, 3, seed);
    List<Mask> masks = List.of(Mask.odd(3), Mask.even(3), new Mask("110"));
    var oracle = new BipartiteOracle(table);
    assertThat(oracle.sorted(masks)).isCloseTo(plain(table, masks, true), within(1e-13));
    assertThat(oracle.modeShifted(masks)).isCloseTo(plain(table, masks, false), within(1e-13));
    // A greedy layer never makes it worse.
    for (int layers = 1; layers < masks.size(); layers++) {
      assertThat(oracle.sorted(masks.subList(0, layers + 1)))
          .isLessThanOrEqualTo(oracle.sorted(masks.subList(0, layers)) + 1e-13);
    }
    assertThat(oracle.shifted(masks, 20, new SplittableRandom(1)))
        .isBetween(table.entropy(), table.factorised());
  }

  private static double plain(FullRankTable table, List<Mask> masks, boolean sort) {
    int[][] rows = new int[table.cells()][];
    for (int cell = 0; cell < rows.length; cell++) {
      rows[cell] = table.row(cell);
    }
    for (Mask mask : masks) {
      int[][] moved = new int[rows.length][];
      for (int i = 0; i < rows.length; i++) {
        moved[i] = rows[i].clone();
        for (int t : mask.moved()) {
          double[] conditional = new double[3];
          for (int j = 0; j < rows.length; j++) {
            int[] own = rows[i];
            int[] other = rows[j];
            if (mask.kept().stream().allMatch(position -> own[position] == other[position])) {
              conditional[other[t]] += table.probability(j);
            }
          }
          int symbol = rows[i][t];
          int larger = 0;
          int mode = 0;
          for (int k = 0; k < 3; k++) {
            larger += conditional[k] > conditional[symbol] ? 1 : 0;
            mode = conditional[k] > conditional[mode] ? k : mode;
          }
          moved[i][t] = sort ? larger : Math.floorMod(symbol - mode, 3);
        }
      }
      rows = moved;
    }
    double sum = 0;
    for (int t = 0; t < 3; t++) {
      double[] marginal = new double[3];
      for (int i = 0; i < rows.length; i++) {
        marginal[rows[i][t]] += table.probability(i);
      }
      sum += Entropy.of(marginal);
    }
    return sum;
  }

  @Test
  void anAutoregressiveLayerSortsGivenWhatIsBefore() {
    // Given 0 the second symbol is 0 in 9 of 10 cases, given 1 it is 1 in 3 of 4.
    var table = FullRankTable.of(2, 2, 0.54, 0.06, 0.1, 0.3);
    assertThat(new BipartiteOracle(table).bestAutoregressiveLayer())
        .isCloseTo(binary(0.6) + binary(0.54 + 0.3), within(1e-14));
    // On two positions it is the bipartite layer that keeps the first.
    var random = FullRankTable.random(2, 5, 4);
    var oracle = new BipartiteOracle(random);
    assertThat(oracle.bestAutoregressiveLayer())
        .isCloseTo(oracle.bestSingleLayer(Mask.even(2)), within(1e-13));
  }

  /** What makes four layers of one symbol each worth their name. */
  @Test
  void oneSymbolALayerComesCloseToTheEntropy() {
    var table = FullRankTable.random(5, 5, 1);
    var oracle = new BipartiteOracle(table);
    List<Mask> ones =
        List.of(new Mask("01111"), new Mask("10111"), new Mask("11011"), new Mask("11101"));
    List<Mask> halves = List.of(Mask.odd(5), Mask.even(5), Mask.odd(5), Mask.even(5));
    assertThat(oracle.sorted(ones)).isBetween(table.entropy(), table.entropy() + 0.015);
    assertThat(oracle.sorted(halves)).isGreaterThan(table.entropy() + 0.2);
  }

  @Test
  void figuresStandInOrder() {
    var table = FullRankTable.random(5, 5, 1);
    var oracle = new BipartiteOracle(table);
    double sorted = oracle.bestSingleLayer(Mask.even(5));
    double shifted = oracle.bestSingleShift(Mask.even(5), 3, new SplittableRandom(1));
    assertThat(new double[] {table.entropy(), sorted, shifted, table.factorised()}).isSorted();
    assertThat(shifted - sorted).isGreaterThan(0.001);
  }

  @Test
  void refusesWhatDoesNotFit() {
    var oracle = new BipartiteOracle(FullRankTable.random(4, 2, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(oracle::anyRelabelling)
        .withMessageContaining("16")
        .withMessageContaining("9");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> oracle.bestSingleLayer(Mask.even(3)))
        .withMessageContaining("4")
        .withMessageContaining("3");
  }
}
