package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.table.ColumnComparison.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is said of samples beside real rows. */
final class SampleComparisonTest {
  private static DataTable table(String... rows) {
    return DataTable.of(
        List.of("city", "age"),
        List.of(rows).stream().map(row -> List.of(row.split(",", -1))).toList());
  }

  private static final DataTable TRAINING =
      table("Rome,10", "Rome,9", "Rome,9", "Oslo,9", "Oslo,10", "Oslo,", "Rome,100", "Rome,100");
  private static final TableCodec CODEC = TableCodec.fit(TRAINING, CodecOptions.DEFAULTS);

  private static TableCodec.Encoded encoded(String... rows) {
    return CODEC.encode(table(rows));
  }

  @Test
  void sharesAreThoseOfTheValuesAndNumbersAscend() {
    List<ColumnComparison> columns =
        ColumnComparison.of(
            CODEC, encoded("Rome,9", "Oslo,10", "Oslo,", "Rome,9"), encoded("Rome,9", "Rome,100"));
    assertThat(columns.get(0))
        .isEqualTo(
            new ColumnComparison(
                "city",
                false,
                List.of(new Value("Rome", 0.5, 1), new Value("Oslo", 0.5, 0)),
                4,
                2));
    assertThat(columns.get(1).ordered()).isTrue();
    assertThat(columns.get(1).values())
        .containsExactly(
            new Value("9", 0.5, 0.5),
            new Value("10", 0.25, 0),
            new Value("100", 0, 0.5),
            new Value(Predictions.MISSING, 0.25, 0));
    assertThat(columns.get(0).difference()).isEqualTo(0.5);
    assertThat(columns.get(1).difference()).isEqualTo(0.5);
  }

  @Test
  void newValuesAreCountedApart() {
    ColumnComparison city =
        ColumnComparison.of(CODEC, encoded("Bonn,9", "Rome,9"), encoded("Rome,9")).get(0);
    assertThat(city.values())
        .containsExactly(
            new Value("Rome", 0.5, 1), new Value("Oslo", 0, 0), new Value("(new)", 0.5, 0));
  }

  @Test
  void trainingIsWhatTheCodecCounted() {
    TableCodec.Encoded sampled = encoded("Rome,9");
    assertThat(ColumnComparison.ofTraining(CODEC, sampled))
        .isEqualTo(ColumnComparison.of(CODEC, CODEC.encode(TRAINING), sampled));
    List<List<String>> rows =
        IntStream.range(0, 90)
            .mapToObj(i -> List.of("" + i % 30, "v" + Math.max(0, i - 80)))
            .toList();
    DataTable table = DataTable.of(List.of("number", "rare"), rows);
    TableCodec bins = TableCodec.fit(table, new CodecOptions(20, 4, 2, List.of("")));
    assertThat(bins.columns().get(0)).isInstanceOf(TableColumn.Bins.class);
    TableCodec.Encoded all = bins.encode(table);
    assertThat(ColumnComparison.ofTraining(bins, all))
        .isEqualTo(ColumnComparison.of(bins, all, all));
  }

  @Test
  void chanceIsWhatTwoSamplesOfOneDistributionDifferBy() {
    var random = new Random(1);
    double difference = 0;
    double byChance = 0;
    for (int i = 0; i < 100; i++) {
      ColumnComparison city =
          ColumnComparison.of(CODEC, cities(random, 200), cities(random, 500)).get(0);
      difference += city.difference();
      byChance += city.differenceByChance();
    }
    assertThat(difference / byChance).isCloseTo(1, within(0.2)); // 7 % of standard error
  }

  private static TableCodec.Encoded cities(Random random, int rows) {
    List<List<String>> cells = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      cells.add(List.of(random.nextInt(4) == 0 ? "Oslo" : "Rome", "9"));
    }
    return CODEC.encode(DataTable.of(List.of("city", "age"), cells));
  }

  @Test
  void pairsStandInTheOrderOfTheirValues() {
    PairComparison pair =
        PairComparison.of(
            CODEC, encoded("Rome,9", "Rome,100", "Oslo,10", "Bonn,9"), encoded("Oslo,"), 0, 1);
    assertThat(pair.real()).isDeepEqualTo(new double[][] {{0.25, 0, 0.25, 0}, {0, 0.25, 0, 0}});
    assertThat(pair.sampled()).isDeepEqualTo(new double[][] {{0, 0, 0, 0}, {0, 0, 0, 1}});
    assertThat(pair.difference()).isEqualTo(0.875);
  }

  @Test
  void dependenciesAreCounted() {
    var random = new Random(2);
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      int a = random.nextInt(4);
      int noisy = random.nextInt(3) == 0 ? random.nextInt(4) : a;
      rows.add(List.of("" + random.nextInt(3), "a" + a, "copy" + a, "n" + noisy));
    }
    DataTable table = DataTable.of(List.of("alone", "a", "copy", "noisy"), rows);
    TableCodec codec = TableCodec.fit(table, CodecOptions.DEFAULTS);
    ColumnDependencies found =
        ColumnDependencies.of(codec, codec.encode(table), List.of(1, 2, 3, 0));
    assertThat(found.columns()).containsExactly("a", "copy", "noisy", "alone");
    assertThat(found.share(0, 1)).isGreaterThan(0.99);
    assertThat(found.share(0, 2)).isBetween(0.3, 0.6);
    assertThat(found.nats(3, 0)).isBetween(0.0, 0.01);
    assertThat(found.nats(1, 0)).isEqualTo(found.nats(0, 1));
    assertThat(found.strongest(1)).containsExactly(new ColumnDependencies.Pair(0, 1));
    assertThat(found.strongest(99)).hasSize(6);

    List<ColumnDependencies.Node> tree = found.tree();
    assertThat(tree)
        .extracting(ColumnDependencies.Node::column)
        .containsExactlyInAnyOrder(0, 1, 2, 3);
    assertThat(tree.get(0).depth()).isZero();
    for (int i = 1; i < tree.size(); i++) {
      assertThat(tree.get(i).depth()).isBetween(1, tree.get(i - 1).depth() + 1);
    }
    double best = found.nats(0, 1) + found.nats(0, 2);
    assertThat(tree.stream().mapToDouble(ColumnDependencies.Node::nats).sum())
        .isBetween(best, best + 0.02);
  }
}
