package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.RingFlow;
import io.ringflow.core.Space;
import io.ringflow.paper.oracle.PlantedTable;
import io.ringflow.table.ChowLiu;
import io.ringflow.table.Condition;
import io.ringflow.table.DataTable;
import io.ringflow.table.Probability;
import io.ringflow.table.ProbabilityOptions;
import io.ringflow.table.TableModel;
import io.ringflow.train.FitOptions;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * How well a model says how many rows of its table satisfy random conditions, and how fast: beside
 * independent columns and the Chow-Liu tree.
 *
 * <pre>
 *   java io.ringflow.bench.QueryErrors [ROWS [QUERIES [MINUTES [MODEL]]]]
 * </pre>
 *
 * <p>The q-error of an estimate is by what factor it is off, in either direction; fewer than one
 * row count as one. A MODEL that is there is loaded; else it is trained, and kept there.
 */
public final class QueryErrors {
  private static final long STRUCTURE = 1;
  private static final long ROWS_SEED = 1;
  private static final long QUERIES_SEED = 2;
  private static final double TOLERANCE = 0.05;
  private static final int BLOCK_ROWS = 4096;

  private final int count;
  private final int queries;
  private final Duration time;
  private final Path folder;
  private final PlantedTable planted = new PlantedTable(STRUCTURE);

  /**
   * Of so many rows.
   *
   * @param folder of the model; null to keep none
   */
  QueryErrors(int count, int queries, Duration time, Path folder) {
    this.count = count;
    this.queries = queries;
    this.time = time;
    this.folder = folder;
  }

  /** Prints two tables. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    int rows = arguments.integer(0, 1_000_000);
    int queries = arguments.integer(1, 2000);
    Path folder = arguments.path(3);
    Duration time = arguments.minutes(2, 8);
    new QueryErrors(rows, queries, time, folder).print(System.out, System.err);
  }

  void print(PrintStream out, PrintStream err) throws IOException {
    MeasuredTables.print(
        out,
        err,
        progress -> measure(out, progress),
        value(
            "Structure %d, rows of seed %d, training of seed %d, queries of seed %d",
            STRUCTURE, ROWS_SEED, FitOptions.DEFAULTS.seed(), QUERIES_SEED));
  }

  private void measure(PrintStream out, ProgressLines progress) throws IOException {
    int[][] rows = planted.sample(count, ROWS_SEED).rows();
    try (TableModel model = model(rows, progress)) {
      progress.now("counting");
      ChowLiu tree = ChowLiu.fit(planted.space(), rows, 1);
      double[][] frequencies = frequencies(rows);
      var random = new SplittableRandom(QUERIES_SEED);
      var source = new RandomQueries(planted.space(), planted.columns(), rows, random);
      ProbabilityOptions options = ProbabilityOptions.DEFAULTS.withTolerance(TOLERANCE);
      Timed<Probability> first =
          Timed.of(
              () ->
                  model.probability(
                      Condition.parse("c50 = v" + rows[0][49]), Condition.ALWAYS, options));
      double[][] errors = new double[3][queries];
      double[] millis = new double[queries];
      List<Probability> found = new ArrayList<>();
      for (int i = 0; i < queries; i++) {
        RandomQueries.Query query = source.next();
        long truth = Arrays.stream(rows).filter(query::accepts).count();
        Timed<Probability> asked =
            Timed.of(
                () -> model.probability(Condition.parse(query.text()), Condition.ALWAYS, options));
        found.add(asked.result());
        millis[i] = 1000 * asked.seconds();
        errors[0][i] = error(asked.result().value(), truth);
        errors[1][i] = error(tree.probability(query.weights()), truth);
        errors[2][i] = error(independent(frequencies, query.weights()), truth);
        progress.done("queries", i + 1, queries);
      }
      out.println(
          new ValueTable(
                  "q-error, " + value("%,d rows, %,d queries", count, queries),
                  "median",
                  "95 %",
                  "99 %",
                  "max")
              .row(line("the model", errors[0], "%.3f"))
              .row(line("Chow-Liu tree", errors[1], "%.3f"))
              .row(line("independent columns", errors[2], "%.3f")));
      out.println(
          new ValueTable("cost of a query", "median", "95 %", "99 %", "max")
              .row(line("milliseconds", millis, "%.1f"))
              .row(
                  line(
                      "samples, 0 where exact",
                      found.stream().mapToDouble(Probability::samples).toArray(),
                      "%,.0f")));
      out.printf(
          "Estimates to a standard error of %.0f %%; %.1f %% of the answers are exact. The first query"
              + " takes %.1f s, in which the model's dependencies are learned from its samples.%n%n",
          100 * TOLERANCE,
          100.0 * found.stream().filter(Probability::exact).count() / queries,
          first.seconds());
    }
  }

  private TableModel model(int[][] rows, ProgressLines progress) throws IOException {
    return KeptModel.of(folder, () -> trained(rows, progress));
  }

  private TableModel trained(int[][] rows, ProgressLines progress) throws IOException {
    Path file = Files.createTempFile("queries", ".csv");
    try {
      write(rows, file);
      FitOptions options = FitOptions.DEFAULTS.withTime(time).withListener(progress);
      return RingFlow.train(DataTable.read(file), options);
    } finally {
      Files.delete(file);
    }
  }

  /** Block by block: as text, a large table takes far more memory than as symbols. */
  private void write(int[][] rows, Path file) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write(String.join(",", planted.columns()) + "\n");
      for (int from = 0; from < rows.length; from += BLOCK_ROWS) {
        int to = Math.min(rows.length, from + BLOCK_ROWS);
        for (List<String> cells : PlantedTable.cells(Arrays.copyOfRange(rows, from, to))) {
          out.write(String.join(",", cells) + "\n");
        }
      }
    }
  }

  private double[][] frequencies(int[][] rows) {
    Space space = planted.space();
    double[][] shares = new double[space.size()][];
    for (int d = 0; d < shares.length; d++) {
      shares[d] = new double[space.cardinality(d)];
      for (int[] row : rows) {
        shares[d][row[d]] += 1.0 / rows.length;
      }
    }
    return shares;
  }

  private static double independent(double[][] frequencies, Map<Integer, double[]> weights) {
    double product = 1;
    for (Map.Entry<Integer, double[]> entry : weights.entrySet()) {
      double mass = 0;
      for (int k = 0; k < entry.getValue().length; k++) {
        mass += entry.getValue()[k] * frequencies[entry.getKey()][k];
      }
      product *= mass;
    }
    return product;
  }

  private double error(double probability, long truth) {
    double estimate = Math.max(1, probability * count);
    return Math.max(estimate / truth, truth / estimate);
  }

  private static String[] line(String name, double[] values, String format) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    String[] cells = new String[5];
    cells[0] = name;
    double[] shares = {0.5, 0.95, 0.99, 1};
    for (int i = 0; i < shares.length; i++) {
      int at = (int) Math.min(sorted.length - 1L, Math.round(shares[i] * sorted.length));
      cells[i + 1] = value(format, sorted[at]);
    }
    return cells;
  }
}
