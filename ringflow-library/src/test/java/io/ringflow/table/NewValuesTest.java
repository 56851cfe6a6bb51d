package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.WildModels;
import io.ringflow.train.FitOptions.Family;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scores of values that training never saw. */
@ExtendWith(LeakCheck.class)
final class NewValuesTest {
  private static final List<String> NAMES = WildModels.TABLE.columns();

  /** All rows of some values of each column. */
  private static DataTable all(List<List<String>> values) {
    List<List<String>> rows = List.of(List.of());
    for (List<String> own : values) {
      List<List<String>> longer = new ArrayList<>();
      for (List<String> row : rows) {
        for (String value : own) {
          List<String> next = new ArrayList<>(row);
          next.add(value);
          longer.add(next);
        }
      }
      rows = longer;
    }
    return DataTable.of(NAMES, rows);
  }

  private static double sum(TableModel model, List<List<String>> values) {
    return Arrays.stream(model.score(all(values))).map(Math::exp).sum();
  }

  /** Of every column all values, a number for each bin, ways to leave a cell out, and a new one. */
  @ParameterizedTest
  @EnumSource(Family.class)
  void allRowsSeenOrNewSumToOne(Family family) {
    try (TableModel model = WildModels.table(family)) {
      List<List<String>> values =
          List.of(
              List.of("Rome", "Oslo", "Lima", "Bonn", "Kiel", "new"),
              List.of("2", "3", "8", "", "new"),
              List.of("x", "new"),
              List.of("a", "b", "", "NA", "new"));
      assertThat(sum(model, values)).isCloseTo(1, within(1e-12));
    }
  }

  /** Where numbers are categories, new ones are told apart by what is nearest. */
  @ParameterizedTest
  @EnumSource(Family.class)
  void newNumbersStandByTheirNeighbours(Family family) {
    CodecOptions options = new CodecOptions(10, 3, 2, List.of("", "NA"));
    List<String> sizes =
        List.of(
            "1.5", "1.51", "2", "2.01", "2.25", "2.26", "3", "3.01", "7", "7.01", "8.5", "8.51");
    for (boolean missing : new boolean[] {true, false}) {
      int[] rows = missing ? new int[] {0, 1, 2, 3, 4, 5, 6} : new int[] {0, 1, 2, 3, 4, 5, 0};
      try (TableModel model = WildModels.table(family, WildModels.TABLE.rows(rows), options)) {
        List<String> own = new ArrayList<>(sizes);
        own.add("new");
        if (missing) {
          own.add("");
        }
        List<String> cities = List.of("Rome", "Oslo", "Lima", "Bonn", "new");
        List<List<String>> values =
            List.of(
                missing ? List.of("Rome", "Oslo", "Lima", "Bonn", "Kiel", "new") : cities,
                own,
                List.of("x", "new"),
                List.of("a", "b", "", "NA", "new"));
        assertThat(sum(model, values)).isCloseTo(1, within(1e-12));
      }
    }
  }

  @Test
  void sharesAreGoodAndTuringsAndNeys() {
    TableColumn often =
        new TableColumn.Categories(
            "c",
            new ValueCounts(List.of("a", "b", "d"), List.of(7, 2, 1)),
            ValueCounts.NONE,
            ValueCounts.NONE);
    assertThat(Math.exp(new NewValueShares(often).logNew())).isCloseTo(1.5 / 11, within(1e-12));
    TableColumn rare =
        new TableColumn.Categories(
            "c",
            new ValueCounts(List.of("a", "b"), List.of(7, 2)),
            new ValueCounts(List.of("d", "e", "f"), List.of(1, 1, 1)),
            ValueCounts.NONE);
    NewValueShares shares = new NewValueShares(rare);
    double discount = 3.5 / 6;
    assertThat(Math.exp(shares.logNew())).isCloseTo(discount, within(1e-12));
    assertThat(Math.exp(shares.logSeen("e"))).isCloseTo(1 - discount, within(1e-12));
    assertThat(shares.logSeen("a")).isZero();
    assertThat(shares.symbol("z")).isEqualTo(2);
  }

  @Test
  void theNearestNumberStandsForANewOne() {
    TableColumn numbers =
        new TableColumn.Categories(
            "n",
            new ValueCounts(List.of("10", "-1", "4.5"), List.of(3, 2, 2)),
            ValueCounts.NONE,
            ValueCounts.NONE);
    NewValueShares shares = new NewValueShares(numbers);
    assertThat(shares.symbol("1000")).isZero();
    assertThat(shares.symbol("-7")).isEqualTo(1);
    assertThat(shares.symbol("5")).isEqualTo(2);
    assertThat(shares.symbol("7.25")).as("of two the smaller").isEqualTo(2);
    assertThat(shares.symbol("seven")).isEqualTo(NewValueShares.ANY);
    assertThat(shares.symbol("")).isEqualTo(NewValueShares.ANY);
  }

  /** More unlikely by each new value, and a row beside them still matters. */
  @ParameterizedTest
  @EnumSource(Family.class)
  void scoresRank(Family family) {
    try (TableModel model = WildModels.table(family)) {
      double[] nats =
          model.score(
              DataTable.of(
                  NAMES,
                  List.of(
                      List.of("Rome", "2", "x", "a"),
                      List.of("Rome", "2", "y", "a"),
                      List.of("Rome", "two", "y", "a"),
                      List.of("Oslo", "two", "y", "b"))));
      assertThat(nats[1]).isLessThan(nats[0]);
      assertThat(nats[2]).isNotEqualTo(nats[3]);
      assertThat(Arrays.stream(nats)).allMatch(Double::isFinite);
    }
  }
}
