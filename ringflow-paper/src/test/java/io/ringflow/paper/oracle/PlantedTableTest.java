package io.ringflow.paper.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The planted table's distribution is the one it draws from. */
final class PlantedTableTest {
  private static final int DRAWN = 30;
  private static final int COLUMNS = 50;
  private static final int WRONG = 4;
  private static final int ROWS = 50_000;

  private static double[] logProbs(PlantedTable table, int[][] rows) {
    return Arrays.stream(rows).mapToDouble(table::logProb).toArray();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void surpriseAveragesToTheEntropy(long seed) {
    var table = new PlantedTable(seed);
    double[] nats = logProbs(table, table.sample(ROWS, 5).rows());
    assertThat(Arrays.stream(nats)).allMatch(Double::isFinite);
    double mean = Arrays.stream(nats).average().orElseThrow();
    double variance =
        Arrays.stream(nats).map(x -> (x - mean) * (x - mean)).sum() / (nats.length - 1);
    double error = Math.sqrt(variance / nats.length);
    assertThat(-mean).isCloseTo(table.entropy(), within(4 * error));
    assertThat(error).as("small enough to see a missing column").isLessThan(0.05);
  }

  @Test
  void aboutOneRowInAHundredIsOdd() {
    boolean[] odd = new PlantedTable(1).sample(ROWS, 7).odd();
    long count = IntStream.range(0, ROWS).filter(i -> odd[i]).count();
    double deviation = Math.sqrt(ROWS * 0.01 * 0.99);
    assertThat((double) count).isCloseTo(0.01 * ROWS, within(4 * deviation));
  }

  /**
   * The first table all of whose functions have three symbols or more: a wrong one then has another
   * wrong one beside it, and can be told from one that is right.
   */
  private static PlantedTable withoutBits() {
    return LongStream.iterate(1, seed -> seed + 1)
        .mapToObj(PlantedTable::new)
        .filter(
            table ->
                table.space().cardinalities().subList(DRAWN, COLUMNS).stream().allMatch(k -> k > 2))
        .findFirst()
        .orElseThrow();
  }

  private static int[] with(int symbol, int column, int[] row) {
    int[] other = row.clone();
    other[column] = symbol;
    return other;
  }

  /**
   * The symbols of a function that leave a row possible, its own included. Zero or four functions
   * are wrong, so one more or less makes a row impossible: these are its own alone if it is right,
   * and all but the right one if it is wrong.
   */
  private static List<Integer> possible(PlantedTable table, int[] row, int column) {
    return IntStream.range(0, table.space().cardinality(column))
        .filter(symbol -> Double.isFinite(table.logProb(with(symbol, column, row))))
        .boxed()
        .toList();
  }

  @Test
  void exactlyTheOddRowsHaveWrongFunctions() {
    PlantedTable table = withoutBits();
    PlantedTable.Rows drawn = table.sample(800, 9);
    int odd = 0;
    for (int n = 0; n < drawn.rows().length; n++) {
      int[] row = drawn.rows()[n];
      int[] right = row.clone();
      int wrong = 0;
      double choices = Math.log(4845); // which four of twenty functions
      for (int column = DRAWN; column < COLUMNS; column++) {
        int symbols = table.space().cardinality(column);
        List<Integer> possible = possible(table, row, column);
        assertThat(possible).contains(row[column]);
        if (possible.size() > 1) {
          assertThat(possible).hasSize(symbols - 1);
          right[column] =
              IntStream.range(0, symbols).filter(k -> !possible.contains(k)).sum(); // the only one
          choices += Math.log(symbols - 1); // and which wrong symbol
          wrong++;
        }
      }
      assertThat(wrong).isEqualTo(drawn.odd()[n] ? WRONG : 0);
      if (wrong > 0) {
        odd++;
        assertThat(table.logProb(right) - table.logProb(row))
            .isCloseTo(Math.log(0.99 / 0.01) + choices, within(1e-9));
      }
    }
    assertThat(odd).isGreaterThan(3);
  }

  @Test
  void cardinalitiesAndNamesAreAsPromised() {
    var table = new PlantedTable(1);
    assertThat(table.space().size()).isEqualTo(COLUMNS);
    assertThat(table.space().cardinalities()).allMatch(k -> k >= 2 && k <= 200).contains(2, 200);
    assertThat(table.columns()).hasSize(COLUMNS).startsWith("c01", "c02").endsWith("c50");
    assertThat(PlantedTable.cells(new int[][] {{0, 12}})).containsExactly(List.of("v0", "v12"));
    int[][] rows = table.sample(100, 2).rows();
    table.space().check("row", rows);
    assertThat(table.sample(100, 2).rows()).isDeepEqualTo(rows);
  }
}
