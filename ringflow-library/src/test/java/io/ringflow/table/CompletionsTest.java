package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.ProgressListener;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.WildModels;
import io.ringflow.train.FitOptions.Family;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Filled cells, compared with the scores of all rows that the known cells allow. */
@ExtendWith(LeakCheck.class)
final class CompletionsTest {
  private static final List<String> NAMES = WildModels.TABLE.columns();

  /** All values of each column; one number stands for its bin. */
  private static final List<List<String>> VALUES =
      List.of(
          List.of("Rome", "Oslo", "Lima", "Bonn", "Kiel"),
          List.of("1.75", "2.62", "7.75"), // the middles, which are filled in
          List.of("x"),
          List.of("a", "b"));

  private static List<List<String>> completions(List<String> row) {
    List<List<String>> all = List.of(List.of());
    for (int d = 0; d < row.size(); d++) {
      List<String> values = row.get(d).isEmpty() ? VALUES.get(d) : List.of(row.get(d));
      List<List<String>> longer = new ArrayList<>();
      for (List<String> beginning : all) {
        for (String value : values) {
          List<String> more = new ArrayList<>(beginning);
          more.add(value);
          longer.add(more);
        }
      }
      all = longer;
    }
    return all;
  }

  /** Of rows with every set of cells removed. */
  private static List<List<String>> rowsWithGaps() {
    List<List<String>> rows = new ArrayList<>();
    for (List<String> row :
        List.of(List.of("Rome", "7.75", "x", "b"), List.of("Kiel", "2", "x", "a"))) {
      for (int set = 0; set < 16; set++) {
        List<String> left = new ArrayList<>(row);
        for (int d = 0; d < 4; d++) {
          if ((set >> d) % 2 == 1) {
            left.set(d, "");
          }
        }
        rows.add(left);
      }
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void theMostLikelyValuesAreFilledIn(Family family) {
    try (TableModel model = WildModels.table(family)) {
      List<List<String>> rows = rowsWithGaps();
      DataTable table = DataTable.of(NAMES, rows);
      Completions found =
          model.complete(table, CompletionOptions.DEFAULTS, ProgressListener.IGNORED);
      assertThat(found.tables()).hasSize(1);
      assertThat(found.filledCells()).isEqualTo(2 * 8 * 4);
      assertThat(found.sampledRows()).isZero();
      for (int row = 0; row < rows.size(); row++) {
        List<List<String>> all = completions(rows.get(row));
        double[] each =
            Arrays.stream(model.score(DataTable.of(NAMES, all), NewValues.IMPOSSIBLE))
                .map(Math::exp)
                .toArray();
        double sum = Arrays.stream(each).sum();
        double best = Arrays.stream(each).max().orElseThrow();
        assertThat(found.probabilities(0)[row]).isCloseTo(best / sum, within(1e-9));
        assertThat(Math.exp(found.logProbKnown()[row])).isCloseTo(sum, within(1e-9));
        List<String> filled = found.tables().get(0).row(row);
        assertThat(all).contains(filled);
        assertThat(each[all.indexOf(filled)]).isEqualTo(best);
      }
      assertThat(model.complete(table).row(5)).isEqualTo(found.tables().get(0).row(5));
    }
  }

  /** Both where all completions are listed and where they are sampled. */
  @ParameterizedTest
  @EnumSource(names = {"AUTOREGRESSIVE", "GROUP"})
  void drawsFollowTheConditional(Family family) {
    try (TableModel model = WildModels.table(family)) {
      List<String> row = List.of("", "2", "", "");
      DataTable table = DataTable.of(NAMES, List.of(row));
      List<List<String>> all = completions(row);
      double[] each =
          Arrays.stream(model.score(DataTable.of(NAMES, all), NewValues.IMPOSSIBLE))
              .map(Math::exp)
              .toArray();
      double sum = Arrays.stream(each).sum();
      CompletionOptions options = CompletionOptions.DEFAULTS.withDraws(1000).withSeed(4);
      for (int maxListed : new int[] {RowCompletions.MAX_LISTED, 0}) {
        var cells = new MissingCells(model.codec(), table);
        RowCompletions completions =
            new ConditionQueries(model.flow(), model.codec())
                .completions(cells, options.samplesPerRow(), 4, maxListed);
        Completions found =
            new Completer(model.codec(), table, cells, options)
                .complete(completions, ProgressListener.IGNORED);
        boolean listed = maxListed > 0;
        assertThat(found.isExact(0)).isEqualTo(listed);
        assertThat(found.sampledRows()).isEqualTo(listed ? 0 : 1);
        assertThat(Math.exp(found.logProbKnown()[0]))
            .isCloseTo(sum, within(listed ? 1e-9 : 0.05 * sum));
        Map<List<String>, Integer> counts = new HashMap<>();
        for (int draw = 0; draw < 1000; draw++) {
          List<String> drawn = found.tables().get(draw).row(0);
          counts.merge(drawn, 1, Integer::sum);
          double wanted = each[all.indexOf(drawn)] / sum;
          assertThat(found.probabilities(draw)[0])
              .isCloseTo(wanted, within(listed ? 1e-9 : 0.06 * wanted));
        }
        for (int i = 0; i < each.length; i++) {
          double p = each[i] / sum;
          assertThat(counts.getOrDefault(all.get(i), 0) / 1000.0)
              .isCloseTo(p, within(4 * Math.sqrt(p * (1 - p) / 1000) + 0.01));
        }
      }
      Completions again = model.complete(table, options, ProgressListener.IGNORED);
      Completions same = model.complete(table, options, ProgressListener.IGNORED);
      assertThat(again.tables().get(7).row(0)).isEqualTo(same.tables().get(7).row(0));
    }
  }

  /** Samples find the likeliest completion of so few. */
  @Test
  void theBestOfSamplesIsFilledIn() {
    try (TableModel model = WildModels.table(Family.AUTOREGRESSIVE)) {
      DataTable table = DataTable.of(NAMES, rowsWithGaps());
      Completions exact =
          model.complete(table, CompletionOptions.DEFAULTS, ProgressListener.IGNORED);
      var cells = new MissingCells(model.codec(), table);
      RowCompletions sampled =
          new ConditionQueries(model.flow(), model.codec()).completions(cells, 2000, 1, 1);
      Completions found =
          new Completer(model.codec(), table, cells, CompletionOptions.DEFAULTS)
              .complete(sampled, ProgressListener.IGNORED);
      assertThat(found.sampledRows()).isPositive();
      for (int row = 0; row < table.size(); row++) {
        assertThat(found.tables().get(0).row(row)).isEqualTo(exact.tables().get(0).row(row));
        double wanted = exact.probabilities(0)[row];
        assertThat(found.probabilities(0)[row]).isCloseTo(wanted, within(0.1 * wanted));
        assertThat(found.effectiveSamples(row)).isBetween(0.0, 2000.0);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void onlyMissingCellsChange(Family family) {
    try (TableModel model = WildModels.table(family)) {
      DataTable table =
          DataTable.of(
              List.of("of", "kind", "size", "city"),
              List.of(
                  List.of(" ", "a", "2", "Rome"), // training had no missing ones there
                  List.of("y", "", "2", "Bern"), // neither was ever seen
                  List.of("x", "b", " NA", "NA"), // missing in another column
                  List.of("x", "c", "2000", "Rome")));
      Completions found =
          model.complete(table, CompletionOptions.DEFAULTS, ProgressListener.IGNORED);
      DataTable filled = found.tables().get(0);
      assertThat(filled.columns()).isEqualTo(table.columns());
      assertThat(filled.row(0)).containsExactly("x", "a", "2", "Rome");
      assertThat(filled.cell(1, 0)).isEqualTo("y");
      assertThat(filled.cell(1, 1)).isIn("a", "b");
      assertThat(filled.row(1).subList(2, 4)).containsExactly("2", "Bern");
      assertThat(filled.cell(2, 2)).isIn("1.75", "2.62", "7.75");
      assertThat(VALUES.get(0)).contains(filled.cell(2, 3));
      assertThat(filled.row(3)).containsExactly("x", "c", "2000", "Rome");
      assertThat(found.probabilities(0)[3]).isEqualTo(1);
      assertThat(found.filledCells()).isEqualTo(4);
      DataTable rare = model.complete(DataTable.of(NAMES, List.of(List.of("Lima", "2", "x", ""))));
      assertThat(filled.cell(1, 1)).as("Bern is as good as Lima").isEqualTo(rare.cell(0, 3));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.complete(DataTable.of(List.of("of"), List.of(List.of("")))))
          .withMessageContaining("lacks [city, size, kind]");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> CompletionOptions.DEFAULTS.withDraws(-1))
          .withMessageContaining("draws");
    }
  }
}
