package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.RingFlow;
import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.model.FittedModel;
import io.ringflow.model.FlowModel;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Toys;
import io.ringflow.testing.WildModels;
import io.ringflow.testing.Zoo;
import io.ringflow.train.FitOptions.Family;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a model says of a table is exact: over all rows that its values allow, by enumeration. */
@ExtendWith(LeakCheck.class)
final class TableModelTest {
  @TempDir Path temporary;

  /** Every value of a column that training saw; of a bin of numbers, one. */
  private static List<String> values(TableColumn column) {
    Stream<String> present =
        column instanceof TableColumn.Categories categories
            ? Stream.concat(
                categories.values().values().stream(), categories.rare().values().stream())
            : ((TableColumn.Bins) column).bins().stream().map(TableColumn.Bin::max);
    return Stream.concat(present, column.missing().values().stream()).toList();
  }

  /** Every row of such values. */
  private static DataTable allRows(TableCodec codec) {
    List<List<String>> rows = List.of(List.of());
    for (TableColumn column : codec.columns()) {
      List<List<String>> longer = new ArrayList<>();
      for (List<String> row : rows) {
        for (String value : values(column)) {
          List<String> next = new ArrayList<>(row);
          next.add(value);
          longer.add(next);
        }
      }
      rows = longer;
    }
    return DataTable.of(codec.columns().stream().map(TableColumn::name).toList(), rows);
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void probabilitiesOfAllRowsOfValuesSumToOne(Family family) {
    try (TableModel model = WildModels.table(family)) {
      DataTable all = allRows(model.codec());
      // Five cities of which three are rare, three bins and a gap, one constant, two kinds of gap.
      assertThat(all.size()).isEqualTo(5 * 4 * 4);
      double[] nats = model.score(all, NewValues.IMPOSSIBLE);
      assertThat(Arrays.stream(nats).map(Math::exp).sum()).isCloseTo(1, within(1e-12));
    }
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void aRareValueHasItsShareOfTheirSymbol(Family family) {
    try (TableModel model = WildModels.table(family)) {
      DataTable rows =
          DataTable.of(
              WildModels.TABLE.columns(),
              List.of(List.of("Kiel", "2", "x", "NA"), List.of("Rome", "2", "x", "a")));
      int[][] symbols = model.codec().encode(rows).symbols();
      double[] wanted = model.flow().logProb(symbols);
      // One of three rare cities, and one of two ways to leave a cell out.
      wanted[0] += Math.log(1 / 3.0) + Math.log(1 / 2.0);
      assertThat(model.score(rows, NewValues.IMPOSSIBLE)).containsExactly(wanted, within(1e-12));
    }
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void whatWasNeverSeenIsUnlikelyOrImpossibleAndNamed(Family family) {
    DataTable rows =
        DataTable.of(
            WildModels.TABLE.columns(),
            List.of(
                List.of("Paris", "2", "x", "a"),
                List.of("Rome", "two", "y", "a"),
                List.of("Rome", "1000", "x", "a")));
    try (TableModel model = WildModels.table(family)) {
      double[] nats = model.score(rows, NewValues.IMPOSSIBLE);
      assertThat(nats[0]).isEqualTo(Double.NEGATIVE_INFINITY);
      assertThat(nats[1]).isEqualTo(Double.NEGATIVE_INFINITY);
      assertThat(nats[2]).as("a number beyond all others is in the last bin").isFinite();
      List<TableModel.Explanation> why = model.explain(rows);
      assertThat(why.get(0).unseen()).containsExactly("city");
      assertThat(why.get(1).unseen()).containsExactly("size", "of");
      assertThat(why.get(2).unseen()).isEmpty();
      double[] finite = model.score(rows);
      assertThat(finite[0]).isFinite().isEqualTo(why.get(0).logLikelihood());
      assertThat(finite[1]).isFinite();
      assertThat(why.get(0).parts()).noneMatch(part -> part.columns().contains("city"));
      assertThat(why.get(0).parts()).allMatch(part -> Double.isFinite(part.nats()));
    }
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void partsMakeUpTheScore(Family family) {
    try (TableModel model = WildModels.table(family)) {
      DataTable all = allRows(model.codec());
      double[] extra = model.codec().encode(all).logProbGivenSymbols();
      double[] nats = model.score(all, NewValues.IMPOSSIBLE);
      double[] reserved = model.codec().encode(all).logReserved();
      List<TableModel.Explanation> why = model.explain(all);
      for (int row = 0; row < nats.length; row++) {
        TableModel.Explanation one = why.get(row);
        double sum = one.parts().stream().mapToDouble(TableModel.Part::nats).sum();
        assertThat(one.logLikelihood()).isCloseTo(nats[row] + reserved[row], within(1e-9));
        assertThat(sum + extra[row]).isCloseTo(nats[row], within(1e-9));
        assertThat(one.parts().stream().flatMap(part -> part.columns().stream()))
            .as("each column once, but for the one that is constant")
            .containsExactlyInAnyOrder("city", "size", "kind");
        assertThat(one.parts().stream().map(TableModel.Part::nats)).isSorted();
      }
    }
  }

  /** Tables of text, numbers and gaps, each as good as any. */
  private static DataTable random(SplittableRandom random) {
    List<List<String>> rows = new ArrayList<>();
    int count = 1 + random.nextInt(40);
    int texts = 1 + random.nextInt(12);
    int scale = random.nextInt(3);
    for (int i = 0; i < count; i++) {
      rows.add(
          List.of(
              "t" + random.nextInt(texts),
              random.nextInt(6) == 0
                  ? List.of("", "NA", " ").get(random.nextInt(3))
                  : BigDecimal.valueOf(random.nextInt(-500, 500), scale).toPlainString(),
              random.nextInt(4) == 0 ? "" : "u" + random.nextInt(3),
              "constant"));
    }
    return DataTable.of(List.of("a", "b", "c", "d"), rows);
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void aSampleHasNoValueThatTrainingDidNotHave(Family family) {
    var random = new SplittableRandom(8);
    int binned = 0;
    for (int i = 0; i < 20; i++) {
      DataTable table = random(random);
      CodecOptions options =
          new CodecOptions(2 + random.nextInt(8), 1 + random.nextInt(6), 2, List.of("", "NA"));
      try (TableModel model = WildModels.table(family, table, options)) {
        DataTable sampled = model.sample(50, i).rows();
        assertThat(sampled.columns()).isEqualTo(table.columns());
        assertThat(Arrays.stream(model.score(sampled))).allMatch(Double::isFinite);
        for (int column = 0; column < 4; column++) {
          Set<String> seen = new LinkedHashSet<>(column(table, column));
          List<String> found = column(sampled, column);
          if (model.codec().columns().get(column) instanceof TableColumn.Bins) {
            binned++;
            assertWithin(seen, found);
          } else {
            assertThat(seen).containsAll(found);
          }
        }
      }
    }
    assertThat(binned).isGreaterThan(5);
  }

  private static List<String> column(DataTable table, int column) {
    return IntStream.range(0, table.size()).mapToObj(row -> table.cell(row, column)).toList();
  }

  private static boolean isNumber(String cell) {
    return !cell.isBlank() && !cell.equals("NA");
  }

  private static void assertWithin(Set<String> seen, List<String> found) {
    List<BigDecimal> numbers =
        seen.stream().filter(TableModelTest::isNumber).map(BigDecimal::new).sorted().toList();
    for (String cell : found) {
      if (isNumber(cell)) {
        assertThat(new BigDecimal(cell)).isBetween(numbers.get(0), numbers.get(numbers.size() - 1));
      } else {
        assertThat(seen).contains(cell);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void givenValuesAreThere(Family family) {
    try (TableModel model = WildModels.table(family)) {
      String likely = model.sample(1, 3).rows().cell(0, 0);
      DataTable sampled = model.sample(40, Map.of("city", likely, "of", "x"), 2).rows();
      int symbol = model.codec().symbolOf(0, likely);
      assertThat(Arrays.stream(model.codec().encode(sampled).symbols()))
          .allMatch(row -> row[0] == symbol);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.sample(1, Map.of("town", "Rome"), 1))
          .withMessageContaining("there is no column")
          .withMessageContaining("town");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.sample(1, Map.of("city", "Paris"), 1))
          .withMessageContaining("never had");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.sample(-1, 1))
          .withMessage("count must not be negative, but is -1");
      assertThat(model.sample(0, 1).rows().size()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void precisionAndProgressAreTheCallers(Family family) {
    try (TableModel model = WildModels.table(family)) {
      String likely = model.sample(1, 3).rows().cell(0, 0);
      for (Map<String, String> given : List.of(Map.<String, String>of(), Map.of("city", likely))) {
        List<Long> done = new ArrayList<>();
        ProgressListener progress =
            (count, total) -> {
              assertThat(total).isEqualTo(40);
              done.add(count);
            };
        DataTable rows = model.sample(40, given, 2).rows();
        SamplingOptions exact = SamplingOptions.DEFAULTS;
        assertThat(cells(model.sample(40, given, Condition.ALWAYS, 2, exact, progress).rows()))
            .isEqualTo(cells(rows));
        assertThat(done).isSorted().endsWith(40L);
        SamplingOptions single = exact.withPrecision(Precision.FLOAT32);
        DataTable singles = model.sample(40, given, Condition.ALWAYS, 2, single, progress).rows();
        assertThat(singles.size()).isEqualTo(40);
        assertThat(Arrays.stream(model.score(singles))).allMatch(Double::isFinite);
        assertThatIllegalArgumentException()
            .isThrownBy(
                () ->
                    model.sample(
                        1,
                        given,
                        Condition.ALWAYS,
                        1,
                        exact.withPrecision(Precision.BFLOAT16),
                        progress))
            .withMessage("precision bfloat16 needs a GPU; a CPU computes in float32 or float64");
        Thread.currentThread().interrupt();
        try {
          assertThat(cells(model.sample(40, given, 2).rows())).isEqualTo(cells(rows));
          assertThatThrownBy(() -> model.sample(40, given, Condition.ALWAYS, 2, exact, progress))
              .isInstanceOf(CancellationException.class);
        } finally {
          Thread.interrupted();
        }
      }
    }
  }

  private static List<List<String>> cells(DataTable table) {
    return IntStream.range(0, table.size()).mapToObj(table::row).toList();
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void comesBackFromItsFolderBitByBit(Family family) throws IOException {
    Path folder = temporary.resolve("model");
    try (TableModel model = WildModels.table(family)) {
      model.save(folder);
      DataTable all = allRows(model.codec());
      try (FittedModel loaded = RingFlow.load(folder)) {
        assertThat(loaded).isInstanceOf(TableModel.class);
        TableModel same = (TableModel) loaded;
        assertThat(same.codec()).isEqualTo(model.codec());
        assertThat(same.score(all)).isEqualTo(model.score(all));
        assertThat(same.explain(all)).isEqualTo(model.explain(all));
        assertThat(same.flow().fingerprint()).isEqualTo(model.flow().fingerprint());
        assertThat(same.metrics()).isEmpty();
        assertThat(column(same.sample(30, 4).rows(), 1))
            .isEqualTo(column(model.sample(30, 4).rows(), 1));
      }
    }
  }

  @Test
  void columnsAreFoundByTheirNames() {
    try (TableModel model = WildModels.table(Family.AUTOREGRESSIVE)) {
      DataTable all = allRows(model.codec());
      List<List<String>> turned =
          IntStream.range(0, all.size())
              .mapToObj(row -> IntStream.of(3, 1, 0, 2).mapToObj(c -> all.cell(row, c)).toList())
              .toList();
      DataTable other = DataTable.of(List.of("kind", "size", "city", "of"), turned);
      assertThat(model.score(other)).isEqualTo(model.score(all));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.score(DataTable.of(List.of("kind"), List.of(List.of("a")))))
          .withMessageContaining("lacks [city, size, of]");
    }
  }

  @Test
  void otherWeightsOrMeaningsHaveAnotherFingerprint() {
    try (TableModel model = WildModels.table(Family.AUTOREGRESSIVE);
        FlowModel fresh = untrained(model, 1);
        FlowModel other = untrained(model, 2)) {
      byte[] own = model.flow().fingerprint();
      assertThat(own).hasSize(32).isEqualTo(model.flow().fingerprint());
      // Where a model comes from says nothing of what a row means.
      EngineAccess.setProvenance(model.flow(), Toys.provenance(3));
      assertThat(model.flow().fingerprint()).isEqualTo(own);
      assertThat(fresh.fingerprint()).isNotEqualTo(own).isNotEqualTo(other.fingerprint());
      TableColumn renamed =
          new TableColumn.Categories(
              "town",
              ((TableColumn.Categories) model.codec().columns().get(0)).values(),
              ((TableColumn.Categories) model.codec().columns().get(0)).rare(),
              model.codec().columns().get(0).missing());
      List<TableColumn> columns = new ArrayList<>(model.codec().columns());
      columns.set(0, renamed);
      try (FlowModel same = Zoo.wild(model.flow().architecture(), model.codec());
          FlowModel another = Zoo.wild(model.flow().architecture(), new TableCodec(columns))) {
        assertThat(same.fingerprint()).isEqualTo(own);
        assertThat(another.fingerprint()).isNotEqualTo(own);
      }
    }
  }

  private static FlowModel untrained(TableModel model, long seed) {
    return FlowModel.create(model.flow().architecture(), model.codec(), Device.CPU, seed);
  }
}
