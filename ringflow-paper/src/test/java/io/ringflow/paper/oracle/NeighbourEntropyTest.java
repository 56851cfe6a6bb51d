package io.ringflow.paper.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Order;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Costs by neighbours, on rows that occur exactly as often as a Markov chain says: what is counted
 * is then what is.
 */
final class NeighbourEntropyTest {
  private static final int SYMBOLS = 3;

  /** Quarters; every symbol is as frequent, and backwards the chain is another. */
  private static final int[][] QUARTERS = {{2, 2, 0}, {1, 1, 2}, {1, 1, 2}};

  private static final double EXACT = 1e-12;

  /** Every row of a length, as often as the chain draws it in 3 · 4^(length - 1) times. */
  private static int[][] chain(int length) {
    List<int[]> rows = new ArrayList<>();
    extend(new int[length], 0, 1, rows);
    return rows.toArray(int[][]::new);
  }

  private static void extend(int[] row, int filled, int times, List<int[]> rows) {
    if (filled == row.length) {
      for (int i = 0; i < times; i++) {
        rows.add(row.clone());
      }
      return;
    }
    for (int symbol = 0; symbol < SYMBOLS; symbol++) {
      int quarters = filled == 0 ? 1 : QUARTERS[row[filled - 1]][symbol];
      if (quarters > 0) {
        row[filled] = symbol;
        extend(row, filled + 1, times * quarters, rows);
      }
    }
  }

  /** Probabilities of the symbol so many steps on. */
  private static double[][] steps(int count) {
    double[][] power = new double[SYMBOLS][SYMBOLS];
    for (int from = 0; from < SYMBOLS; from++) {
      power[from][from] = 1;
      for (int step = 0; step < count; step++) {
        double[] next = new double[SYMBOLS];
        for (int via = 0; via < SYMBOLS; via++) {
          for (int to = 0; to < SYMBOLS; to++) {
            next[to] += power[from][via] * QUARTERS[via][to] / 4.0;
          }
        }
        power[from] = next;
      }
    }
    return power;
  }

  /** H(x | the symbols so far before and after), from the chain's own probabilities; 0 for none. */
  private static double exact(int left, int right) {
    double[][] before = steps(left);
    double[][] after = steps(right);
    double entropy = 0;
    for (int l = 0; l < (left == 0 ? 1 : SYMBOLS); l++) {
      for (int r = 0; r < (right == 0 ? 1 : SYMBOLS); r++) {
        double[] joint = new double[SYMBOLS];
        for (int x = 0; x < SYMBOLS; x++) {
          double fromLeft = left == 0 ? 1.0 / SYMBOLS : before[l][x] / SYMBOLS;
          joint[x] = fromLeft * (right == 0 ? 1 : after[x][r]);
        }
        entropy += Entropy.of(joint) - Entropy.term(Arrays.stream(joint).sum());
      }
    }
    return entropy;
  }

  @Test
  void theChainIsWhatItSaysItIs() {
    assertThat(chain(4)).hasDimensions(3 * 64, 4);
    assertThat(exact(0, 0)).isCloseTo(Math.log(3), within(EXACT));
    // Rows of two halves, and of two quarters and a half.
    assertThat(exact(1, 0)).isCloseTo((1 + 1.5 + 1.5) / 3 * Math.log(2), within(EXACT));
    assertThat(exact(0, 1)).isCloseTo(exact(1, 0), within(EXACT));
    assertThat(exact(2, 0)).isGreaterThan(exact(1, 0) + 0.01).isLessThan(exact(0, 0));
    assertThat(exact(1, 1)).isLessThan(exact(1, 0) - 0.01);
    assertThat(exact(1, 2)).isCloseTo(exact(2, 1), within(EXACT));
  }

  @Test
  void oneNeighbourOrTwoCostWhatTheChainSays() {
    var counted = new NeighbourEntropy(chain(5), SYMBOLS);
    assertThat(counted.whenKnown(Order.of(0, 1)))
        .containsExactly(new double[] {exact(0, 0), exact(1, 0)}, within(EXACT));
    assertThat(counted.whenKnown(Order.of(1, 0)))
        .containsExactly(new double[] {exact(0, 0), exact(0, 1)}, within(EXACT));
    assertThat(counted.whenKnown(Order.of(0, 1, 2)))
        .containsExactly(
            new double[] {exact(0, 0), (exact(1, 0) + exact(2, 0)) / 2, exact(1, 0)},
            within(EXACT));
    assertThat(counted.whenKnown(Order.of(0, 2, 1)))
        .containsExactly(
            new double[] {exact(0, 0), (exact(1, 0) + exact(2, 0)) / 2, exact(1, 1)},
            within(EXACT));
    assertThat(counted.whenKnown(Order.of(0, 3, 1, 2))[2])
        .isCloseTo((exact(1, 2) + exact(2, 1)) / 2, within(EXACT));
  }

  @Test
  void everyOrderOfFourCostsWhatItsNearestNeighboursSay() {
    int size = 4;
    var counted = new NeighbourEntropy(chain(5), SYMBOLS);
    int orders = 0;
    for (int code = 0; code < 256; code++) {
      int[] positions = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
      if (Arrays.stream(positions).distinct().count() == size) {
        assertThat(counted.whenKnown(Order.of(positions)))
            .as(Arrays.toString(positions))
            .containsExactly(nearest(positions), within(EXACT));
        orders++;
      }
    }
    assertThat(orders).isEqualTo(24);
  }

  private static double[] nearest(int[] order) {
    double[] costs = new double[order.length];
    for (int n = 0; n < order.length; n++) {
      int[] known = Arrays.copyOf(order, n);
      for (int unknown : Arrays.copyOfRange(order, n, order.length)) {
        int left = Arrays.stream(known).map(at -> unknown - at).filter(d -> d > 0).min().orElse(0);
        int right = Arrays.stream(known).map(at -> at - unknown).filter(d -> d > 0).min().orElse(0);
        costs[n] += exact(left, right) / (order.length - n);
      }
    }
    return costs;
  }

  /** In natural order each of the rest is one step further from what is known. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7})
  void leftToRight(int size) {
    double[] formula = new double[size];
    formula[0] = exact(0, 0);
    for (int n = 1; n < size; n++) {
      for (int away = 1; away <= size - n; away++) {
        formula[n] += exact(away, 0) / (size - n);
      }
    }
    assertThat(new NeighbourEntropy(chain(size), SYMBOLS).whenKnown(Order.natural(size)))
        .containsExactly(formula, within(EXACT));
  }

  /** All rows of a length in a text that is a ring: every place in a row sees the same symbols. */
  private static int[][] ring(int symbols, int around, int length, long seed) {
    var random = new SplittableRandom(seed);
    int[] text = random.ints(around, 0, symbols).toArray();
    int[][] rows = new int[around][length];
    for (int start = 0; start < around; start++) {
      for (int i = 0; i < length; i++) {
        rows[start][i] = text[(start + i) % around];
      }
    }
    return rows;
  }

  /** Nine steps away nothing is known; eight steps away something is. */
  @Test
  void aNeighbourFartherThanEightSaysNothing() {
    // A ring of 11 different symbols: one that is seen tells all others.
    int[][] rows = new int[11][11];
    for (int start = 0; start < 11; start++) {
      for (int i = 0; i < 11; i++) {
        rows[start][i] = (start + i) % 11;
      }
    }
    var counted = new NeighbourEntropy(rows, 11);
    double unknown = Math.log(11);
    assertThat(counted.whenKnown(Order.natural(11)))
        .containsExactly(
            new double[] {unknown, 2 * unknown / 10, unknown / 9, 0, 0, 0, 0, 0, 0, 0, 0},
            within(EXACT));
  }

  /** Of the same counts this is no matter of luck: what is known more never costs more. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void moreNeighboursNeverCostMore(long seed) {
    int symbols = 2 + (int) (seed % 3);
    var counted = new NeighbourEntropy(ring(symbols, 20 + (int) seed, 5, seed), symbols);
    double none = counted.whenKnown(Order.natural(1))[0];
    double left = counted.whenKnown(Order.of(0, 1))[1];
    double right = counted.whenKnown(Order.of(1, 0))[1];
    double both = counted.whenKnown(Order.of(0, 2, 1))[2];
    double twoAndOne =
        counted.whenKnown(Order.of(0, 3, 1, 2))[2]; // mean of 1 and 2 away, either way
    double oneOrTwo = counted.whenKnown(Order.of(0, 1, 2))[1]; // and without the other side
    assertThat(none).isPositive();
    assertThat(left).isLessThanOrEqualTo(none + EXACT).isCloseTo(right, within(EXACT));
    assertThat(both).isBetween(-EXACT, left + EXACT);
    assertThat(twoAndOne).isBetween(-EXACT, oneOrTwo + EXACT);
  }

  @Test
  void aRowOfOneSymbolCostsItsEntropy() {
    assertThat(new NeighbourEntropy(new int[][] {{0}, {1}, {1}, {1}}, 2).whenKnown(Order.of(0)))
        .containsExactly(
            new double[] {-0.25 * Math.log(0.25) - 0.75 * Math.log(0.75)}, within(EXACT));
    assertThat(new NeighbourEntropy(new int[][] {{0}, {0}}, 1).whenKnown(Order.of(0)))
        .containsExactly(0);
  }
}
