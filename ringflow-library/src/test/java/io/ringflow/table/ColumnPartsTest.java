package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.RingFlow;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.layer.Split;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.SplitTables;
import io.ringflow.train.FitOptions;
import io.ringflow.train.FitOptions.Family;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is asked of a column in two parts, compared with sums over all rows of a table. */
@ExtendWith(LeakCheck.class)
final class ColumnPartsTest {
  private static final int SEEDS = 10;

  private static final ProbabilityOptions EXACTLY = ProbabilityOptions.DEFAULTS.withTolerance(0);
  private static final List<String> FIRSTS = List.of("x", "y");
  private static final List<String> LASTS = List.of("u", "v", "w");

  /** All rows that the codec knows, each with its probability. */
  private static Map<List<String>, Double> everyRow(TableModel model) {
    List<List<String>> rows = new ArrayList<>();
    for (String first : FIRSTS) {
      for (String name : names(model)) {
        LASTS.forEach(last -> rows.add(List.of(first, name, last)));
      }
    }
    DataTable table = DataTable.of(SplitTables.TABLE.columns(), rows);
    double[] nats = model.score(table, NewValues.IMPOSSIBLE);
    Map<List<String>, Double> all = new HashMap<>();
    for (int i = 0; i < nats.length; i++) {
      all.put(rows.get(i), Math.exp(nats[i]));
    }
    return all;
  }

  private static List<String> names(TableModel model) {
    var names = (TableColumn.Categories) model.codec().columns().get(1);
    List<String> all = new ArrayList<>(names.values().values());
    all.addAll(names.rare().values());
    all.addAll(names.missing().values());
    return all;
  }

  private static double sum(Map<List<String>, Double> rows, Predicate<List<String>> accepts) {
    return rows.entrySet().stream()
        .filter(row -> accepts.test(row.getKey()))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  private static Map<String, Predicate<List<String>>> conditions() {
    Map<String, Predicate<List<String>>> all = new HashMap<>();
    all.put("name = c", row -> row.get(1).equals("c"));
    all.put("name = rare1", row -> row.get(1).equals("rare1"));
    all.put("name != a", row -> !row.get(1).isEmpty() && !row.get(1).equals("a"));
    all.put(
        "name IN (a, rare0, e) AND last = v",
        row -> List.of("a", "rare0", "e").contains(row.get(1)) && row.get(2).equals("v"));
    all.put(
        "name NOT IN (a, rare0, e) AND first = y",
        row -> !List.of("", "a", "rare0", "e").contains(row.get(1)) && row.get(0).equals("y"));
    all.put("name IS NULL", row -> row.get(1).isEmpty());
    all.put(
        "name IS NOT NULL AND last != u", row -> !row.get(1).isEmpty() && !row.get(2).equals("u"));
    all.put(
        "name BETWEEN b AND f AND last IN (u, w)",
        row ->
            row.get(1).compareTo("b") >= 0
                && row.get(1).compareTo("f") <= 0
                && !row.get(2).equals("v"));
    return all;
  }

  private static void forEachModel(BiConsumer<String, TableModel> check) {
    Map<String, TableModel> models = SplitTables.all();
    try {
      models.forEach(check);
    } finally {
      models.values().forEach(TableModel::close);
    }
  }

  @Test
  void probabilitiesOfConditionsAreSumsOverRows() {
    forEachModel(
        (name, model) -> {
          Map<List<String>, Double> rows = everyRow(model);
          assertThat(sum(rows, row -> true)).isCloseTo(1, within(1e-9));
          conditions()
              .forEach(
                  (text, accepts) -> {
                    Condition condition = Condition.parse(text);
                    double exact = sum(rows, accepts);
                    Probability found = model.probability(condition);
                    assertThat(found.exact()).isTrue();
                    assertThat(found.value())
                        .as("%s: %s", name, text)
                        .isCloseTo(exact, within(1e-9));
                  });
        });
  }

  /** Only of models that samples can explore: what none of them meets, no error can tell of. */
  @Test
  void estimatesOfConditionsAreWithinTheirErrors() {
    forEachModel(
        (name, model) -> {
          SplitTables.tame(model);
          Map<List<String>, Double> rows = everyRow(model);
          var queries = new ConditionQueries(model.flow(), model.codec(), 0);
          int asked = 0;
          int near = 0;
          for (var entry : conditions().entrySet()) {
            double exact = sum(rows, entry.getValue());
            for (int seed = 1; seed <= SEEDS; seed++) {
              Probability found =
                  queries.probability(
                      Condition.parse(entry.getKey()), new ProbabilityOptions(1e-5, 512, seed));
              asked++;
              near += Math.abs(found.value() - exact) <= 3 * found.standardError() + 1e-9 ? 1 : 0;
            }
          }
          assertThat(near).as(name).isGreaterThanOrEqualTo((int) (0.99 * asked));
        });
  }

  @Test
  void samplesSatisfyTheirConditionAndAreAsTheModelSays() {
    forEachModel(
        (name, model) ->
            conditions()
                .forEach(
                    (text, accepts) -> {
                      Map<List<String>, Double> rows = everyRow(model);
                      DataTable sampled = model.sample(400, Condition.parse(text), 1).rows();
                      Map<List<String>, Integer> counts = new HashMap<>();
                      for (int i = 0; i < sampled.size(); i++) {
                        assertThat(accepts.test(sampled.row(i))).as(text).isTrue();
                        counts.merge(sampled.row(i), 1, Integer::sum);
                      }
                      double total = sum(rows, accepts);
                      counts.forEach(
                          (row, count) -> {
                            double p = rows.get(row) / total;
                            double error = Math.sqrt(p * (1 - p) / 400);
                            assertThat(count / 400.0)
                                .as("%s: %s, %s", name, text, row)
                                .isCloseTo(p, within(5 * error + 3.0 / 400));
                          });
                    }));
  }

  @Test
  void predictionsAndCompletionsAreSharesOfRows() {
    forEachModel(
        (name, model) -> {
          Map<List<String>, Double> rows = everyRow(model);
          DataTable asked =
              DataTable.of(SplitTables.TABLE.columns(), List.of(List.of("y", "", "w")));
          Predictions predicted = model.predict(asked, "name", ProgressListener.IGNORED);
          double known = sum(rows, row -> row.get(0).equals("y") && row.get(2).equals("w"));
          for (int k = 0; k < 10; k++) {
            assertThat(predicted.probabilities(0)[k])
                .as("%s: %s", name, predicted.values().get(k))
                .isCloseTo(
                    rows.get(List.of("y", predicted.values().get(k), "w")) / known, within(1e-9));
          }
          assertThat(Arrays.stream(predicted.probabilities(0)).sum()).isCloseTo(1, within(1e-9));
          double[] filled =
              model
                  .complete(asked, CompletionOptions.DEFAULTS, ProgressListener.IGNORED)
                  .logProbKnown();
          double present =
              sum(
                  rows,
                  row -> row.get(0).equals("y") && row.get(2).equals("w") && !row.get(1).isEmpty());
          assertThat(filled[0]).isCloseTo(Math.log(present), within(1e-9));
          int[] all = {0};
          new ConditionQueries(model.flow(), model.codec())
              .completions(new MissingCells(model.codec(), asked), 4096, 1, 1)
              .visit(
                  all,
                  ProgressListener.IGNORED,
                  (row, found) ->
                      assertThat(found.logKnown())
                          .as("%s, sampled", name)
                          .isCloseTo(Math.log(present), within(0.3)));
        });
  }

  @Test
  void oneEvaluationTellsOfAllSecondPartsThatNothingDependsOn() {
    Map<String, Integer> evaluations =
        Map.of("name first", 12, "second part first", 12, "name last", 4, "parts apart", 4);
    forEachModel(
        (name, model) ->
            assertThat(new ConditionQueries(model.flow(), model.codec()).each(1).evaluations())
                .as(name)
                .isEqualTo(evaluations.getOrDefault(name, 4)));
    try (TableModel moving = SplitTables.moving()) {
      assertThat(new ConditionQueries(moving.flow(), moving.codec()).each(1).evaluations())
          .isEqualTo(12);
      DataTable asked = DataTable.of(SplitTables.TABLE.columns(), List.of(List.of("y", "", "w")));
      Predictions predicted = moving.predict(asked, "name", ProgressListener.IGNORED);
      Map<List<String>, Double> rows = everyRow(moving);
      double known = sum(rows, row -> row.get(0).equals("y") && row.get(2).equals("w"));
      assertThat(predicted.probabilities(0)[3])
          .isCloseTo(rows.get(List.of("y", predicted.values().get(3), "w")) / known, within(1e-9));
    }
  }

  @Test
  void partsOfARowAddUpToItsScore() {
    forEachModel(
        (name, model) -> {
          DataTable table =
              DataTable.of(SplitTables.TABLE.columns(), List.of(List.of("y", "d", "w")));
          TableModel.Explanation row = model.explain(table).get(0);
          assertThat(row.parts()).hasSize(3);
          assertThat(row.parts().stream().mapToDouble(TableModel.Part::nats).sum())
              .isCloseTo(
                  model.flow().logProb(model.codec().encode(table).symbols())[0], within(1e-9));
        });
  }

  @Test
  void modelsThatMoveSymbolsAnswerToo() {
    try (TableModel model = SplitTables.moving()) {
      Map<List<String>, Double> rows = everyRow(model);
      assertThat(sum(rows, row -> true)).isCloseTo(1, within(1e-9));
      conditions()
          .forEach(
              (text, accepts) ->
                  assertThat(model.probability(Condition.parse(text)).value())
                      .isCloseTo(sum(rows, accepts), within(1e-9)));
    }
  }

  @Test
  void numbersOfSymbolsAreMadeToFit() {
    assertThat(ColumnParts.fitting(256)).isEqualTo(256);
    assertThat(ColumnParts.fitting(257)).isEqualTo(256);
    assertThat(ColumnParts.fitting(100_000)).isEqualTo(316 * 316);
    for (int symbols = 257; symbols < 5000; symbols++) {
      assertThat(ColumnParts.fitting(symbols))
          .isBetween(symbols - (int) Math.sqrt(symbols), symbols);
    }
  }

  /** 700 names of two rows each, of seven cities: which city a name is of is certain. */
  private static DataTable people() {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < 1400; i++) {
      int name = i % 700;
      rows.add(List.of("name" + name, "city" + (name * 31 % 7), i % 3 == 0 ? "a" : "b"));
    }
    return DataTable.of(List.of("name", "city", "kind"), rows);
  }

  @Test
  void namesOfACityAreNeighbours() {
    DataTable table = people();
    TableCodec codec = TableCodec.fit(table, CodecOptions.DEFAULTS);
    int[][] rows = codec.encode(table).symbols();
    Split.Code code = ColumnParts.of(codec, rows).get(0).code();
    assertThat(codec.space().cardinality(0)).isEqualTo(26 * 26);
    Map<Integer, Integer> cityOf = new HashMap<>();
    Arrays.stream(rows).forEach(row -> cityOf.put(row[0], row[1]));
    int changes = 0;
    for (int i = 1; i < code.symbols().size(); i++) {
      changes +=
          cityOf.get(code.symbols().get(i)).equals(cityOf.get(code.symbols().get(i - 1))) ? 0 : 1;
    }
    assertThat(changes).isEqualTo(6);
  }

  /** Given a city alone there are two kinds for each of 676 names, which are sampled. */
  @Test
  void aColumnOfManyNamesIsPredicted() throws IOException {
    FitOptions options = FitOptions.DEFAULTS.withTime(Duration.ofMillis(100));
    try (TableModel model = RingFlow.train(people(), options)) {
      var queries = new ConditionQueries(model.flow(), model.codec());
      assertThat(queries.each(0).evaluations()).isEqualTo(26);
      int[][] rows =
          IntStream.range(0, 2 * 676)
              .mapToObj(i -> new int[] {i / 2, 1, i % 2})
              .toArray(int[][]::new);
      double[] nats = model.flow().logProb(rows);
      double[][] found = queries.each(0).of(new int[][] {{-1, 1, 0}, {5, 1, 1}});
      double all = RowCompletions.logSum(nats);
      DataTable city =
          DataTable.of(List.of("city"), List.of(List.of(model.codec().decode(rows, 1).cell(0, 1))));
      Predictions names = model.predict(city, "name", ProgressListener.IGNORED);
      assertThat(names.exact(0)).isFalse();
      assertThat(Arrays.stream(names.probabilities(0)).sum()).isCloseTo(1, within(1e-9));
      int near = 0;
      for (int name = 0; name < 676; name++) {
        assertThat(found[0][name]).isCloseTo(nats[2 * name], within(1e-9));
        assertThat(found[1][name]).isCloseTo(nats[2 * name + 1], within(1e-9));
        double exact = Math.exp(nats[2 * name] - all) + Math.exp(nats[2 * name + 1] - all);
        double off = Math.abs(names.probabilities(0)[name] - exact);
        near += off <= 3 * names.standardErrors(0)[name] ? 1 : 0;
      }
      assertThat(near).isGreaterThan(665);
    }
  }

  @Test
  void moreProbabilitiesThanTheHeapHoldsAreRefused() {
    Predictions.checkMemory(600, 0, 100_000, 1L << 30);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Predictions.checkMemory(5_000, 5_000, 100_000, 1L << 32))
        .withMessage(
            "the probabilities of 100,000 values in each of 5,000 rows take 7.5 GiB, but the heap"
                + " has 4.0 GiB: predict fewer rows at a time");
  }

  @Test
  void everyFamilyLearnsAColumnOfManyNamesAndIsSaved(@TempDir Path folder) throws IOException {
    DataTable table = people();
    for (Family family : Family.values()) {
      FitOptions options = FitOptions.DEFAULTS.withFamily(family).withTime(Duration.ofMillis(100));
      try (TableModel model = RingFlow.train(table, options)) {
        assertThat(model.flow().architecture().layers()).anyMatch(layer -> layer instanceof Split);
        // All names in a row of which the rest is known.
        int[][] rows =
            IntStream.range(0, 26 * 26)
                .mapToObj(name -> new int[] {name, 1, 0})
                .toArray(int[][]::new);
        double[] nats =
            model.flow().logProb(rows, new int[0][], Precision.FLOAT64, ProgressListener.IGNORED);
        double known = Arrays.stream(nats).map(Math::exp).sum();
        String city =
            ((TableColumn.Categories) model.codec().columns().get(1)).values().values().get(1);
        String kind =
            ((TableColumn.Categories) model.codec().columns().get(2)).values().values().get(0);
        Condition where = Condition.parse("city = " + city + " AND kind = " + kind);
        if (family != Family.BIPARTITE) {
          assertThat(model.probability(where, Condition.ALWAYS, EXACTLY).value())
              .isCloseTo(known, within(1e-9));
        }
        model.save(folder.resolve(family.name()));
        try (TableModel same = (TableModel) RingFlow.load(folder.resolve(family.name()))) {
          assertThat(same.score(table)).isEqualTo(model.score(table));
          assertThat(same.sample(5, 1).rows().row(4)).isEqualTo(model.sample(5, 1).rows().row(4));
        }
      }
    }
  }
}
