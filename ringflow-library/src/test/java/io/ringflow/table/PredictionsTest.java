package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.ProgressListener;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.WildModels;
import io.ringflow.train.FitOptions.Family;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(LeakCheck.class)
final class PredictionsTest {
  private static final DataTable ROWS =
      DataTable.of(
          List.of("kind", "size", "city", "of"),
          List.of(
              List.of("a", "2", "Rome", "x"),
              List.of("", "7.5", "Lima", "x"),
              List.of("b", "", "Paris", "x"),
              List.of("b", "", "Oslo", "y")));

  /** The share of each value among the probabilities of all rows that differ there alone. */
  @ParameterizedTest
  @EnumSource(Family.class)
  void predictionsAreConditionals(Family family) {
    try (TableModel model = WildModels.table(family)) {
      Predictions found = model.predict(ROWS, "city", ProgressListener.IGNORED);
      assertThat(found.values()).containsExactly("Oslo", "Rome", Predictions.RARE);
      assertThat(found.size()).isEqualTo(4);
      for (int row = 0; row < 3; row++) {
        double[] joint = new double[3];
        for (String city : List.of("Oslo", "Rome", "Lima", "Bonn", "Kiel")) {
          List<String> cells = List.of(ROWS.cell(row, 0), ROWS.cell(row, 1), city, "x");
          double[] nats =
              model.score(DataTable.of(ROWS.columns(), List.of(cells)), NewValues.IMPOSSIBLE);
          int symbol = city.equals("Oslo") ? 0 : city.equals("Rome") ? 1 : 2;
          joint[symbol] += Math.exp(nats[0]);
        }
        double sum = Arrays.stream(joint).sum();
        assertThat(found.probabilities(row))
            .containsExactly(Arrays.stream(joint).map(p -> p / sum).toArray(), within(1e-9));
        assertThat(joint[found.likeliest(row)]).isEqualTo(Arrays.stream(joint).max().orElseThrow());
      }
      assertThat(found.actual(0)).isEqualTo(1);
      assertThat(found.actual(1)).isEqualTo(2);
      assertThat(found.actual(2)).as("Paris was never seen").isEqualTo(-1);
      assertThat(found.hasActual(2)).as("but it is there").isTrue();
      assertThat(found.exact(3)).as("y was never seen, and is summed out").isTrue();
      assertThat(Arrays.stream(found.probabilities(3)).sum()).isCloseTo(1, within(1e-9));
    }
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void theColumnItselfIsNotNeeded(Family family) {
    try (TableModel model = WildModels.table(family)) {
      List<List<String>> cells = List.of(List.of("a", "Rome", "x"), List.of("", "Lima", "x"));
      DataTable without = DataTable.of(List.of("kind", "city", "of"), cells);
      Predictions found = model.predict(without, "size", ProgressListener.IGNORED);
      assertThat(found.values())
          .containsExactly("1.5 to 2", "2.25 to 3", "7 to 8.5", Predictions.MISSING);
      Predictions same = model.predict(ROWS, "size", ProgressListener.IGNORED);
      assertThat(found.probabilities(0)).isEqualTo(same.probabilities(0));
      assertThat(found.probabilities(1)).isEqualTo(same.probabilities(1));
      assertThat(found.hasActual(0)).isFalse();
      assertThat(same.hasActual(2)).as("a missing size has a symbol").isTrue();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.predict(ROWS, "town", ProgressListener.IGNORED))
          .withMessageContaining("there is no column 'town'");
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  model.predict(
                      DataTable.of(List.of("kind", "town"), List.of(List.of("a", "b"))),
                      "city",
                      ProgressListener.IGNORED))
          .withMessageContaining("has [town] too");
    }
  }

  /** A column that is not there counts as the mixture of all its values. */
  @ParameterizedTest
  @EnumSource(Family.class)
  void columnsThatLackAreSummedOut(Family family) {
    try (TableModel model = WildModels.table(family)) {
      DataTable kinds = DataTable.of(List.of("kind", "of"), List.of(List.of("a", "x")));
      Predictions found = model.predict(kinds, "city", ProgressListener.IGNORED);
      double[] expected = new double[3];
      for (String size : List.of("2", "3", "7", "")) {
        for (String city : List.of("Oslo", "Rome", "Lima", "Bonn", "Kiel")) {
          double nats =
              model
                  .score(
                      DataTable.of(ROWS.columns(), List.of(List.of("a", size, city, "x"))),
                      NewValues.IMPOSSIBLE)[0];
          expected[city.equals("Oslo") ? 0 : city.equals("Rome") ? 1 : 2] += Math.exp(nats);
        }
      }
      double sum = Arrays.stream(expected).sum();
      assertThat(found.exact(0)).isTrue();
      assertThat(found.standardErrors(0)).containsOnly(0);
      assertThat(found.probabilities(0))
          .containsExactly(Arrays.stream(expected).map(p -> p / sum).toArray(), within(1e-9));
    }
  }

  /** Where nothing is summed up, estimates are within their errors of the exact sums. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BIPARTITE")
  void estimatesAreAsGoodAsTheySay(Family family) {
    try (TableModel model = WildModels.table(family)) {
      DataTable lacking = DataTable.of(List.of("kind"), List.of(List.of("a"), List.of("")));
      int city = model.codec().position("city");
      Predictions exact = model.predict(lacking, "city", ProgressListener.IGNORED);
      var cells = MissingCells.toPredict(model.codec(), lacking, city);
      var queries = new ConditionQueries(model.flow(), model.codec());
      int within = 0;
      int all = 0;
      for (int seed = 0; seed < 40; seed++) {
        Predictions found =
            Predictions.of(
                model.codec().columns().get(city),
                city,
                cells,
                queries.each(city),
                queries.completions(cells, 64, seed, 1),
                ProgressListener.IGNORED);
        for (int row = 0; row < 2; row++) {
          assertThat(found.exact(row)).isFalse();
          assertThat(Arrays.stream(found.probabilities(row)).sum()).isCloseTo(1, within(1e-9));
          for (int k = 0; k < 3; k++) {
            double error = Math.abs(found.probabilities(row)[k] - exact.probabilities(row)[k]);
            within += error <= 3 * found.standardErrors(row)[k] ? 1 : 0;
            all++;
          }
        }
      }
      assertThat(within).as("of %d within three errors", all).isBetween(all * 97 / 100, all);
    }
  }
}
