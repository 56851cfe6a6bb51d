package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.RingFlow;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.Space;
import io.ringflow.table.CompletionOptions;
import io.ringflow.table.Condition;
import io.ringflow.table.DataTable;
import io.ringflow.table.Predictions;
import io.ringflow.table.Probability;
import io.ringflow.table.ProbabilityOptions;
import io.ringflow.table.TableModel;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Whether standard errors say how far estimates are off: the share of estimated probabilities and
 * predictions that are within so many of them of the sum over all rows.
 *
 * <pre>
 *   java io.ringflow.bench.ErrorCoverage [SEEDS [FIRST]]
 * </pre>
 */
public final class ErrorCoverage {
  private static final int FIRST_SEED = 201;
  private static final int SYMBOLS = 6;
  private static final Space SPACE = Space.uniform(7, SYMBOLS);
  private static final int ROWS = 3000;
  private static final int CONDITIONS = 60;
  private static final int PREDICTED = 40;

  private final int seeds;
  private final long firstSeed;

  /** Of models of so many tables. */
  ErrorCoverage(int seeds, long firstSeed) {
    this.seeds = seeds;
    this.firstSeed = firstSeed;
  }

  /** Prints a table. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    new ErrorCoverage(arguments.integer(0, 10), arguments.integer(1, FIRST_SEED))
        .print(System.out, System.err);
  }

  void print(PrintStream out, PrintStream err) throws IOException {
    MeasuredTables.print(
        out,
        err,
        progress -> measure(out, progress),
        value(
            "%d tables, conditions and samples of seeds %d to %d",
            seeds, firstSeed, firstSeed + seeds - 1));
  }

  /** How far estimates were off, in standard errors. */
  private static final class StandardizedErrors {
    private final List<Double> errors = new ArrayList<>();

    void add(double found, double exact, double standardError) {
      errors.add(Math.abs(found - exact) / standardError);
    }

    private String within(double most) {
      return value(
          "%.1f %%", 100.0 * errors.stream().filter(e -> e <= most).count() / errors.size());
    }

    String[] row(String name) {
      double largest = errors.stream().mapToDouble(e -> e).max().orElse(0);
      return new String[] {
        name, value("%,d", errors.size()), within(2), within(3), value("%.1f", largest)
      };
    }
  }

  private void measure(PrintStream out, ProgressLines progress) throws IOException {
    var probabilities = new StandardizedErrors();
    var predictions = new StandardizedErrors();
    for (int i = 0; i < seeds; i++) {
      long seed = firstSeed + i;
      DataTable table = table(seed);
      FitOptions options = FitOptions.DEFAULTS.withTime(Duration.ofSeconds(5)).withSeed(seed);
      try (TableModel model = RingFlow.train(table, options)) {
        int[][] rows = model.codec().space().enumerate();
        double[] exact = Arrays.stream(model.flow().logProb(rows)).map(Math::exp).toArray();
        ask(model, rows, exact, new SplittableRandom(seed), probabilities);
        predict(model, rows, exact, new SplittableRandom(seed), predictions);
      }
      progress.done("tables", i + 1, seeds);
    }
    out.println(
        new ValueTable("estimates", "how many", "within 2 standard errors", "within 3", "farthest")
            .row(probabilities.row("probabilities of conditions"))
            .row(predictions.row("predicted probabilities")));
  }

  /** Each column depends on the two before it. */
  private static DataTable table(long seed) {
    var random = new SplittableRandom(seed);
    int[][] shifts = new int[SPACE.size()][2];
    for (int[] shift : shifts) {
      Arrays.setAll(shift, i -> 1 + random.nextInt(4));
    }
    int[][] rows = new int[ROWS][SPACE.size()];
    for (int[] row : rows) {
      for (int d = 0; d < row.length; d++) {
        int noise = random.nextInt(3) == 0 ? random.nextInt(SYMBOLS) : 0;
        int one = d > 0 ? shifts[d][0] * row[d - 1] : random.nextInt(SYMBOLS);
        int two = d > 1 ? shifts[d][1] * row[d - 2] : 0;
        row[d] = (one + two + noise) % SYMBOLS;
      }
    }
    List<String> names = IntStream.range(0, SPACE.size()).mapToObj(d -> "c" + d).toList();
    return DataTable.of(
        names,
        Arrays.stream(rows)
            .map(row -> Arrays.stream(row).mapToObj(k -> "v" + k).toList())
            .toList());
  }

  private static void ask(
      TableModel model,
      int[][] rows,
      double[] exact,
      SplittableRandom random,
      StandardizedErrors errors) {
    for (int i = 0; i < CONDITIONS; i++) {
      Map<Integer, boolean[]> allowed = new LinkedHashMap<>();
      while (allowed.size() < 2 || (random.nextInt(3) > 0 && allowed.size() < SPACE.size())) {
        boolean[] some = new boolean[SYMBOLS];
        Arrays.fill(some, true); // weak ones, because the sums of others are short
        some[random.nextInt(SYMBOLS)] = false;
        allowed.put(random.nextInt(SPACE.size()), some);
      }
      String text =
          allowed.entrySet().stream()
              .map(entry -> term(model, entry.getKey(), entry.getValue()))
              .collect(Collectors.joining(" AND "));
      // All samples are taken: one that stops by its error is not what the error is of.
      Probability found =
          model.probability(
              Condition.parse(text),
              Condition.ALWAYS,
              new ProbabilityOptions(1e-6, 512, random.nextLong()));
      if (!found.exact()) {
        double sum = 0;
        for (int row = 0; row < rows.length; row++) {
          int[] symbols = rows[row];
          boolean holds =
              allowed.entrySet().stream().allMatch(e -> e.getValue()[symbols[e.getKey()]]);
          sum += holds ? exact[row] : 0;
        }
        errors.add(found.value(), sum, found.standardError());
      }
    }
  }

  private static String term(TableModel model, int column, boolean[] some) {
    DataTable all =
        model
            .codec()
            .decode(
                IntStream.range(0, SYMBOLS).mapToObj(ErrorCoverage::same).toArray(int[][]::new), 1);
    return IntStream.range(0, SYMBOLS)
        .filter(k -> some[k])
        .mapToObj(k -> all.cell(k, column))
        .collect(Collectors.joining(", ", "c" + column + " IN (", ")"));
  }

  private static int[] same(int symbol) {
    int[] row = new int[SPACE.size()];
    Arrays.fill(row, symbol);
    return row;
  }

  /** The last columns given the first or the other way round, all others unknown. */
  private static void predict(
      TableModel model,
      int[][] rows,
      double[] exact,
      SplittableRandom random,
      StandardizedErrors errors) {
    for (int column : new int[] {0, SPACE.size() - 1}) {
      int known = SPACE.size() - 1 - column;
      int[][] given = new int[PREDICTED][];
      Arrays.setAll(given, i -> rows[random.nextInt(rows.length)]);
      List<List<String>> cells = new ArrayList<>();
      DataTable decoded = model.codec().decode(given, 1);
      for (int row = 0; row < given.length; row++) {
        cells.add(List.of(decoded.cell(row, known)));
      }
      Predictions found =
          model.predict(
              DataTable.of(List.of("c" + known), cells),
              "c" + column,
              CompletionOptions.DEFAULTS.withSeed(random.nextLong()),
              ProgressListener.IGNORED);
      double[][] wanted = new double[SYMBOLS][SYMBOLS];
      for (int i = 0; i < rows.length; i++) {
        wanted[rows[i][known]][rows[i][column]] += exact[i];
      }
      for (int row = 0; row < given.length; row++) {
        double[] own = wanted[given[row][known]];
        double sum = Arrays.stream(own).sum();
        for (int k = 0; !found.exact(row) && k < own.length; k++) {
          errors.add(found.probabilities(row)[k], own[k] / sum, found.standardErrors(row)[k]);
        }
      }
    }
  }
}
