package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.core.Space;
import io.ringflow.paper.oracle.PlantedTable;
import io.ringflow.table.CodecOptions;
import io.ringflow.table.DataTable;
import io.ringflow.table.MissingValues;
import io.ringflow.table.NewValues;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * What a model learns from a table some of whose cells were removed at random: of a small one whose
 * distribution can be enumerated, and of a planted one.
 *
 * <pre>
 *   java io.ringflow.bench.MissingTraining [MINUTES [ROWS]]
 * </pre>
 */
public final class MissingTraining {
  private static final long STRUCTURE = 1;
  private static final long SEED = 201;
  private static final int FRESH = 1000;
  private static final int SMALL_ROWS = 4000;
  private static final double SMALL_REMOVED = 0.3;
  private static final Space SMALL = Space.of(3, 2, 4, 3, 2, 3, 2);

  private final Duration time;
  private final int count;
  private final int smallRows;
  private final double[] shares;

  /** With so much time for each model, and so many rows. */
  MissingTraining(Duration time, int count, int smallRows, double... shares) {
    this.time = time;
    this.count = count;
    this.smallRows = smallRows;
    this.shares = shares;
  }

  /** Prints two tables. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    int rows = arguments.integer(1, 20_000);
    Duration time = arguments.minutes(0, 2);
    new MissingTraining(time, rows, SMALL_ROWS, 0.1, 0.3).print(System.out, System.err);
  }

  void print(PrintStream out, PrintStream err) throws IOException {
    MeasuredTables.print(
        out,
        err,
        progress -> {
          out.println(small(progress));
          out.println(planted(progress));
        },
        value(
            "Structure %d, rows and removed cells of seed %d, training of seed %d, at most %.1f minutes"
                + " each",
            STRUCTURE, SEED, FitOptions.DEFAULTS.seed(), time.toMillis() / 60e3));
  }

  /** Each column depends on the two before it, by random tables. */
  private static final class SmallTable {
    private final double[][][] conditional = new double[SMALL.size()][][];

    SmallTable(RandomGenerator random) {
      for (int d = 0; d < conditional.length; d++) {
        int given = 1;
        for (int before = Math.max(0, d - 2); before < d; before++) {
          given *= SMALL.cardinality(before);
        }
        conditional[d] = new double[given][SMALL.cardinality(d)];
        for (double[] symbols : conditional[d]) {
          Arrays.setAll(symbols, k -> Math.exp(2.5 * random.nextGaussian()));
          double sum = Arrays.stream(symbols).sum();
          Arrays.setAll(symbols, k -> symbols[k] / sum);
        }
      }
    }

    private double[] given(int[] row, int column) {
      int at = column > 0 ? row[column - 1] : 0;
      if (column > 1) {
        at += SMALL.cardinality(column - 1) * row[column - 2];
      }
      return conditional[column][at];
    }

    double logProb(int[] row) {
      double sum = 0;
      for (int d = 0; d < row.length; d++) {
        sum += Math.log(given(row, d)[row[d]]);
      }
      return sum;
    }

    int[] sample(RandomGenerator random) {
      int[] row = new int[SMALL.size()];
      for (int d = 0; d < row.length; d++) {
        double[] own = given(row, d);
        double left = random.nextDouble() - own[0];
        while (left > 0 && row[d] + 1 < own.length) {
          left -= own[++row[d]];
        }
      }
      return row;
    }
  }

  private ValueTable small(ProgressLines progress) throws IOException {
    var random = new SplittableRandom(SEED);
    var truth = new SmallTable(random);
    int[][] rows = new int[smallRows][];
    Arrays.setAll(rows, i -> truth.sample(random));
    List<String> columns = IntStream.range(0, SMALL.size()).mapToObj(d -> "c" + d).toList();
    DataTable full = DataTable.of(columns, PlantedTable.cells(rows));
    DataTable gaps = removed(full, SMALL_REMOVED, random);
    DataTable complete = gaps.rows(completeRows(gaps));
    ValueTable table =
        new ValueTable(
            value(
                "%,d rows of %d columns, %.0f %% of the cells removed",
                smallRows, SMALL.size(), 100 * SMALL_REMOVED),
            "nats from the distribution itself");
    table.row("learned from all cells", small(full, MissingValues.SYMBOL, truth, progress));
    table.row("missing cells summed out", small(gaps, MissingValues.SUMMED_OUT, truth, progress));
    table.row(
        "missing cells a symbol, rows without one",
        small(gaps, MissingValues.SYMBOL, truth, progress));
    table.row(
        value("only the %,d complete rows", complete.size()),
        small(complete, MissingValues.SYMBOL, truth, progress));
    return table;
  }

  private static int[] completeRows(DataTable table) {
    return IntStream.range(0, table.size()).filter(row -> !table.row(row).contains("")).toArray();
  }

  /** How far complete rows are, among all complete rows, from the distribution: KL divergence. */
  private String small(
      DataTable table, MissingValues missing, SmallTable truth, ProgressLines progress)
      throws IOException {
    try (TableModel model = train(table, missing, progress)) {
      int[][] all = SMALL.enumerate();
      double[] nats =
          model.score(DataTable.of(table.columns(), PlantedTable.cells(all)), NewValues.IMPOSSIBLE);
      double mass = Math.log(Arrays.stream(nats).map(Math::exp).sum());
      double sum = 0;
      for (int i = 0; i < all.length; i++) {
        double exact = truth.logProb(all[i]);
        sum += Math.exp(exact) * (exact - nats[i] + mass);
      }
      return value("%.4f", sum);
    }
  }

  private ValueTable planted(ProgressLines progress) throws IOException {
    var planted = new PlantedTable(STRUCTURE);
    List<List<String>> cells = PlantedTable.cells(planted.sample(count + FRESH, SEED).rows());
    DataTable all = DataTable.of(planted.columns(), cells.subList(FRESH, cells.size()));
    DataTable fresh = DataTable.of(planted.columns(), cells.subList(0, FRESH));
    List<String> headings = new ArrayList<>();
    headings.add(value("nats per complete fresh row, learned from %,d rows", count));
    Arrays.stream(shares).forEach(share -> headings.add(value("%.0f %% removed", 100 * share)));
    var table = new ValueTable(headings.toArray(String[]::new));
    String full = planted(all, MissingValues.SYMBOL, fresh, progress);
    List<String> fullRow = new ArrayList<>(List.of("learned from all cells"));
    List<String> summedOut = new ArrayList<>(List.of("missing cells summed out"));
    List<String> filled = new ArrayList<>(List.of("filled with the most frequent value"));
    for (double share : shares) {
      DataTable gaps = removed(all, share, new SplittableRandom(SEED));
      fullRow.add(full);
      summedOut.add(planted(gaps, MissingValues.SUMMED_OUT, fresh, progress));
      filled.add(planted(filled(gaps), MissingValues.SYMBOL, fresh, progress));
    }
    for (List<String> row : List.of(fullRow, summedOut, filled)) {
      table.row(row.toArray(String[]::new));
    }
    return table;
  }

  private String planted(
      DataTable table, MissingValues missing, DataTable fresh, ProgressLines progress)
      throws IOException {
    try (TableModel model = train(table, missing, progress)) {
      return value("%.3f", -Arrays.stream(model.score(fresh)).average().orElseThrow());
    }
  }

  private TableModel train(DataTable table, MissingValues missing, ProgressLines progress)
      throws IOException {
    progress.now("%s, %s", table, missing);
    CodecOptions options = CodecOptions.DEFAULTS.withMissingValues(missing);
    return TableModel.train(
        table,
        TableCodec.fit(table, options),
        FitOptions.DEFAULTS.withTime(time).withListener(progress));
  }

  private static DataTable removed(DataTable table, double share, RandomGenerator random) {
    List<List<String>> rows = new ArrayList<>();
    for (int row = 0; row < table.size(); row++) {
      List<String> cells = new ArrayList<>(table.row(row));
      cells.replaceAll(cell -> random.nextDouble() < share ? "" : cell);
      rows.add(cells);
    }
    return DataTable.of(table.columns(), rows);
  }

  private static DataTable filled(DataTable gaps) {
    List<Map<String, Integer>> counts = new ArrayList<>();
    gaps.columns().forEach(name -> counts.add(new HashMap<>()));
    for (int row = 0; row < gaps.size(); row++) {
      for (int d = 0; d < counts.size(); d++) {
        if (!gaps.cell(row, d).isEmpty()) {
          counts.get(d).merge(gaps.cell(row, d), 1, Integer::sum);
        }
      }
    }
    List<String> most =
        counts.stream()
            .map(own -> own.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow())
            .map(Map.Entry::getKey)
            .toList();
    List<List<String>> rows = new ArrayList<>();
    for (int row = 0; row < gaps.size(); row++) {
      List<String> cells = new ArrayList<>(gaps.row(row));
      for (int d = 0; d < cells.size(); d++) {
        cells.set(d, cells.get(d).isEmpty() ? most.get(d) : cells.get(d));
      }
      rows.add(cells);
    }
    return DataTable.of(gaps.columns(), rows);
  }
}
