package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.table.TableColumn.Bin;
import io.ringflow.table.TableColumn.Bins;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.WildModels;
import io.ringflow.train.FitOptions.Family;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scores of numbers to their last digit. */
@ExtendWith(LeakCheck.class)
final class NumberDetailTest {
  /** Three bins of tenths with a gap, repeated numbers, and missing cells that look like one. */
  private static final Bins COLUMN =
      new Bins(
          "x",
          List.of(
              new Bin("-0.5", "1", 6, new ValueCounts(List.of("0"), List.of(4))),
              new Bin("1.1", "1.1", 4),
              new Bin("1.8", "3.20", 5, new ValueCounts(List.of("2.0"), List.of(4)))),
          0,
          2,
          new ValueCounts(List.of("-99"), List.of(2)));

  private static final TableCodec CODEC = new TableCodec(List.of(COLUMN));

  private static DataTable numbers(IntStream units, int decimals) {
    return DataTable.of(
        List.of("x"),
        units
            .mapToObj(i -> List.of(new BigDecimal(BigInteger.valueOf(i), decimals).toPlainString()))
            .toList());
  }

  /** What the numbers of each bin sum to. */
  private static double[] sums(DataTable table, NewValues newValues) {
    double[] sums = new double[4];
    double[] nats = CODEC.logProbGivenBins(table, newValues);
    int[][] symbols = CODEC.encode(table).symbols();
    for (int row = 0; row < nats.length; row++) {
      sums[symbols[row][0]] += Math.exp(nats[row]);
    }
    return sums;
  }

  @Test
  void whatCanBeSampledSumsToOneInEachBin() {
    DataTable all = numbers(IntStream.rangeClosed(-1000, 1000), 2);
    assertThat(sums(all, NewValues.IMPOSSIBLE))
        .containsExactly(new double[] {1, 1, 1, 0}, within(1e-12));
  }

  /** To a distance whose rest is known: beyond the range, all farther numbers have w / (w + d). */
  @Test
  void allNumbersSumToOneInEachBin() {
    double width = 371;
    int far = 20_000;
    DataTable all = numbers(IntStream.rangeClosed(-50 - far, 320 + far), 2);
    double[] sums = sums(all, NewValues.RESERVED);
    double beyond = width / (width + far);
    double coarse = 1 - 1.0 / 17;
    assertThat(sums[0]).isCloseTo(coarse * (1 - beyond / 8), within(1e-12));
    assertThat(sums[1]).isCloseTo(coarse, within(1e-12));
    assertThat(sums[2]).isCloseTo(coarse * (1 - beyond / 7), within(1e-12));

    double[] finer = sums(numbers(IntStream.rangeClosed(11_000, 17_999), 4), NewValues.RESERVED);
    assertThat(finer[1]).as("two more decimals").isCloseTo(1 - 0.25 / 17, within(1e-12));
  }

  @Test
  void nothingBeyondReachIsPossibleWhereNewValuesAreNot() {
    for (String number : List.of("-0.51", "1.05", "1.2", "1.79", "3.21", "1e300", "2.001")) {
      DataTable one = DataTable.of(List.of("x"), List.of(List.of(number)));
      assertThat(CODEC.logProbGivenBins(one, NewValues.IMPOSSIBLE)[0])
          .as(number)
          .isEqualTo(Double.NEGATIVE_INFINITY);
      assertThat(CODEC.logProbGivenBins(one, NewValues.RESERVED)[0]).isNegative().isFinite();
    }
    DataTable none = DataTable.of(List.of("x"), List.of(List.of("-99"), List.of("text")));
    assertThat(CODEC.logProbGivenBins(none, NewValues.IMPOSSIBLE)).containsExactly(0, 0);
  }

  /** Of numbers too many to count by a long, or too small to tell apart by a double. */
  @Test
  void hugeRangesHaveFiniteScores() {
    var wide = new Bins("x", List.of(new Bin("-1e308", "1E-300", 2)), 0, 300, ValueCounts.NONE);
    DataTable some =
        DataTable.of(List.of("x"), List.of(List.of("1e307"), List.of("-3"), List.of("1e-310")));
    double[] nats = new TableCodec(List.of(wide)).logProbGivenBins(some, NewValues.RESERVED);
    assertThat(Arrays.stream(nats)).allMatch(value -> value < -500 && Double.isFinite(value));
  }

  /** A repeated number is more frequent in samples too, and conditions count it so. */
  @Test
  void samplesConditionsAndScoresAgree() {
    int count = 20_000;
    DataTable sampled = CODEC.decode(new int[count][1], 3);
    Map<String, Integer> counts = new HashMap<>();
    for (int row = 0; row < count; row++) {
      counts.merge(sampled.cell(row, 0), 1, Integer::sum);
    }
    DataTable all = numbers(IntStream.rangeClosed(-50, 100), 2);
    double[] nats = CODEC.logProbGivenBins(all, NewValues.IMPOSSIBLE);
    double chiSquare = 0;
    for (int row = 0; row < nats.length; row++) {
      String text = new BigDecimal(all.cell(row, 0)).stripTrailingZeros().toPlainString();
      double expected = count * Math.exp(nats[row]);
      chiSquare += Math.pow(counts.getOrDefault(text, 0) - expected, 2) / expected;
    }
    assertThat(chiSquare).as("150 degrees of freedom").isBetween(90.0, 225.0);

    ColumnFilter filter = filter("x BETWEEN 0 AND 0.25");
    double expected = Arrays.stream(nats, 50, 76).map(Math::exp).sum();
    assertThat(filter.shares()).containsExactly(new double[] {expected, 0, 0, 0}, within(1e-12));
    var random = new SplittableRandom(5);
    long zeros =
        IntStream.range(0, count).filter(i -> filter.decode(0, random).equals("0")).count();
    double share = Math.exp(nats[50]) / expected;
    assertThat(zeros / (double) count)
        .isCloseTo(share, within(4 * Math.sqrt(share * (1 - share) / count)));
  }

  private static ColumnFilter filter(String condition) {
    return ColumnFilter.of(COLUMN, Condition.parse(condition).terms());
  }

  /** Of all values that training had and can be sampled, with the numbers of the bins. */
  @ParameterizedTest
  @EnumSource(Family.class)
  void allRowsSumToOne(Family family) {
    try (TableModel model = WildModels.table(family)) {
      List<List<String>> rows = new ArrayList<>();
      for (String city : List.of("Rome", "Oslo", "Lima", "Bonn", "Kiel")) {
        for (int size = 149; size <= 851; size++) {
          for (String kind : List.of("a", "b", "", "NA")) {
            String text = size < 150 ? "" : new BigDecimal(BigInteger.valueOf(size), 2).toString();
            rows.add(List.of(city, text, "x", kind));
          }
        }
      }
      double[] nats =
          model.score(
              DataTable.of(WildModels.TABLE.columns(), rows),
              NewValues.IMPOSSIBLE,
              NumberDetail.LAST_DIGIT);
      assertThat(Arrays.stream(nats).map(Math::exp).sum()).isCloseTo(1, within(1e-12));
    }
  }
}
