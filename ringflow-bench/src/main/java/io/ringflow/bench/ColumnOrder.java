package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.RingFlow;
import io.ringflow.paper.oracle.PlantedTable;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableModel;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Whether a model is as good whatever the order of a table's columns: planted tables, causes before
 * effects, beside the same rows with columns shuffled.
 *
 * <pre>
 *   java io.ringflow.bench.ColumnOrder [MINUTES [ROWS [STRUCTURE...]]]
 * </pre>
 */
public final class ColumnOrder {
  private static final long SEED = 5;
  private static final int FRESH = 5000;

  private final Duration time;
  private final int count;
  private final List<Long> structures;

  /** Of planted tables of so many rows. */
  ColumnOrder(Duration time, int count, List<Long> structures) {
    this.time = time;
    this.count = count;
    this.structures = structures;
  }

  /** Prints a table. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    int rows = arguments.integer(1, 50_000);
    List<Long> structures = Arrays.stream(args).skip(2).map(Long::valueOf).toList();
    Duration time = arguments.minutes(0, 1.5);
    new ColumnOrder(time, rows, structures.isEmpty() ? List.of(4L, 5L, 6L, 7L, 8L, 9L) : structures)
        .print(System.out, System.err);
  }

  void print(PrintStream out, PrintStream err) throws IOException {
    MeasuredTables.print(
        out,
        err,
        progress -> measure(out, progress),
        value(
            "Rows and shuffling of seed %d, training of seed %d",
            SEED, FitOptions.DEFAULTS.seed()));
  }

  private void measure(PrintStream out, ProgressLines progress) throws IOException {
    var table =
        new ValueTable(
            "nats per fresh row", "exact", "causes first", "shuffled", "shuffled is above by");
    for (long structure : structures) {
      var planted = new PlantedTable(structure);
      int[][] rows = planted.sample(count + FRESH, SEED).rows();
      List<Integer> order =
          new ArrayList<>(IntStream.range(0, planted.columns().size()).boxed().toList());
      double causal = nats(planted, rows, order, progress);
      Collections.shuffle(order, new Random(SEED));
      double shuffled = nats(planted, rows, order, progress);
      progress.now("structure %d: %.3f, shuffled %.3f", structure, causal, shuffled);
      table.row(
          "structure " + structure,
          value("%.3f", planted.entropy()),
          value("%.3f", causal),
          value("%.3f", shuffled),
          ValueTable.above(shuffled, causal));
    }
    out.printf(
        Locale.ROOT,
        "How much a table's layout matters: planted tables with causes before effects, and the same rows"
            + " with columns shuffled; %,d rows to learn from.%n%n",
        count);
    out.println(table);
  }

  /** What fresh rows cost a model of the others, new values included. */
  private double nats(
      PlantedTable planted, int[][] rows, List<Integer> order, ProgressLines progress)
      throws IOException {
    DataTable all = table(planted, rows, order);
    try (TableModel model =
        RingFlow.train(
            all.rows(IntStream.range(FRESH, rows.length).toArray()),
            FitOptions.DEFAULTS.withTime(time).withListener(progress))) {
      double[] scores = model.score(all.rows(IntStream.range(0, FRESH).toArray()));
      return -Arrays.stream(scores).average().orElseThrow();
    }
  }

  private static DataTable table(PlantedTable planted, int[][] rows, List<Integer> order) {
    List<List<String>> cells =
        PlantedTable.cells(rows).stream()
            .map(row -> order.stream().map(row::get).toList())
            .toList();
    return DataTable.of(order.stream().map(planted.columns()::get).toList(), cells);
  }
}
