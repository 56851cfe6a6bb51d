package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.RingFlow;
import io.ringflow.paper.oracle.PlantedTable;
import io.ringflow.table.Condition;
import io.ringflow.table.DataTable;
import io.ringflow.table.ProbabilityOptions;
import io.ringflow.table.TableModel;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Whether rows can be sampled under any condition, and whether those are samples of the model given
 * the condition: by chi-square tests against plain samples, of which those are kept that satisfy
 * it.
 *
 * <pre>
 *   java io.ringflow.bench.ConditionalSamples [CONDITIONS [ROWS [MINUTES [MODEL]]]]
 * </pre>
 *
 * <p>A MODEL that is there is loaded; else one of a planted table is trained, and kept there.
 */
public final class ConditionalSamples {
  private static final long STRUCTURE = 1;
  private static final long SEED = 4;
  private static final int SAMPLED = 100;

  /** So many that the rarest condition has a probability of about one in a million. */
  private static final int MAX_COLUMNS = 10;

  private static final int PLAIN = 100_000;

  /** Plain samples that must satisfy a condition for it to be tested. */
  private static final int MIN_KEPT = 200;

  private static final double MIN_EXPECTED = 5;

  private static final ProbabilityOptions ROUGHLY =
      ProbabilityOptions.DEFAULTS.withTolerance(0.1).withMaxSamples(2000);

  private final int conditions;
  private final int count;
  private final Duration time;
  private final Path folder;
  private final int plain;
  private final PlantedTable planted = new PlantedTable(STRUCTURE);

  /**
   * Under so many conditions.
   *
   * @param plain samples
   * @param folder of the model; null to keep none
   */
  ConditionalSamples(int conditions, int count, Duration time, int plain, Path folder) {
    this.conditions = conditions;
    this.count = count;
    this.time = time;
    this.plain = plain;
    this.folder = folder;
  }

  /** Prints a table. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    int conditions = arguments.integer(0, 200);
    int rows = arguments.integer(1, 50_000);
    Path folder = arguments.path(3);
    Duration time = arguments.minutes(2, 1.5);
    new ConditionalSamples(conditions, rows, time, PLAIN, folder).print(System.out, System.err);
  }

  void print(PrintStream out, PrintStream err) throws IOException {
    MeasuredTables.print(
        out,
        err,
        progress -> measure(out, progress),
        value(
            "Structure %d, rows of seed %d, training of seed %d, conditions and samples of seed %d",
            STRUCTURE, SEED, FitOptions.DEFAULTS.seed(), SEED));
  }

  private TableModel model(DataTable table, ProgressLines progress) throws IOException {
    FitOptions options = FitOptions.DEFAULTS.withTime(time).withListener(progress);
    return KeptModel.of(folder, () -> RingFlow.train(table, options));
  }

  private void measure(PrintStream out, ProgressLines progress) throws IOException {
    int[][] rows = planted.sample(count, SEED).rows();
    DataTable table = DataTable.of(planted.columns(), PlantedTable.cells(rows));
    try (TableModel model = model(table, progress)) {
      progress.now("plain samples");
      int[][] samples = symbols(model.sample(plain, SEED).rows());
      var random = new SplittableRandom(SEED);
      var source = new RandomQueries(planted.space(), planted.columns(), rows, random, MAX_COLUMNS);
      List<Double> probabilities = new ArrayList<>();
      List<Double> worth = new ArrayList<>();
      List<Double> millis = new ArrayList<>();
      List<ChiSquare> tests = new ArrayList<>();
      int returned = 0;
      int violated = 0;
      while (probabilities.size() < conditions) {
        RandomQueries.Query query = source.next();
        Condition condition = Condition.parse(query.text());
        probabilities.add(model.probability(condition, Condition.ALWAYS, ROUGHLY).value());
        Timed<TableModel.Sample> asked =
            Timed.of(() -> model.sample(SAMPLED, condition, SEED + probabilities.size()));
        int[][] found = symbols(asked.result().rows());
        returned += found.length == SAMPLED ? 1 : 0;
        violated += (int) Arrays.stream(found).filter(row -> !query.accepts(row)).count();
        worth.add(asked.result().effective());
        millis.add(1000 * asked.seconds());
        int[][] kept = Arrays.stream(samples).filter(query::accepts).toArray(int[][]::new);
        if (kept.length >= MIN_KEPT) {
          for (int d = 0; d < planted.space().size(); d++) {
            ChiSquare test = ChiSquare.of(counts(found, d), counts(kept, d));
            if (!query.weights().containsKey(d) && test.degrees() > 0) {
              tests.add(test);
            }
          }
        }
        progress.done("conditions", probabilities.size(), conditions);
      }
      out.println(
          new ValueTable(
                  value(
                      "%,d random conditions on 1 to %d columns, %d rows each",
                      conditions, MAX_COLUMNS, SAMPLED),
                  "")
              .row("conditions under which all rows were sampled", value("%,d", returned))
              .row("rows that violate their condition", value("%,d", violated))
              .row("probability of a condition, median", value("%.1e", at(probabilities, 0.5)))
              .row("probability of the rarest", value("%.1e", at(probabilities, 0)))
              .row(
                  "independent samples that the rows are worth, median",
                  value("%.0f", at(worth, 0.5)))
              .row("of 5 % of the conditions less than", value("%.0f", at(worth, 0.05)))
              .row("milliseconds, median", value("%.0f", at(millis, 0.5)))
              .row("of 5 % of the conditions more than", value("%.0f", at(millis, 0.95))));
      out.printf(
          Locale.ROOT,
          "Against those of %,d plain samples that satisfy a condition, where at least %d do: of %,d"
              + " columns' chi-square tests %.1f %% reject at 5 %%, and %.1f %% at 1 %%.%n%n",
          plain,
          MIN_KEPT,
          tests.size(),
          100.0 * tests.stream().filter(test -> test.exceeds(1.645)).count() / tests.size(),
          100.0 * tests.stream().filter(test -> test.exceeds(2.326)).count() / tests.size());
    }
  }

  /** The symbols of a table whose cells are those of the planted one. */
  private static int[][] symbols(DataTable table) {
    int[][] rows = new int[table.size()][table.columns().size()];
    for (int row = 0; row < rows.length; row++) {
      for (int d = 0; d < rows[row].length; d++) {
        rows[row][d] = Integer.parseInt(table.cell(row, d).substring(1));
      }
    }
    return rows;
  }

  private double[] counts(int[][] rows, int column) {
    double[] counts = new double[planted.space().cardinality(column)];
    for (int[] row : rows) {
      counts[row[column]]++;
    }
    return counts;
  }

  private static double at(List<Double> values, double share) {
    double[] sorted = values.stream().mapToDouble(value -> value).sorted().toArray();
    return sorted[(int) Math.min(sorted.length - 1L, Math.round(share * sorted.length))];
  }

  /**
   * A test of whether two samples are of the same distribution; symbols that few have count as one.
   */
  private record ChiSquare(double statistic, int degrees) {
    static ChiSquare of(double[] first, double[] second) {
      double n = Arrays.stream(first).sum();
      double m = Arrays.stream(second).sum();
      double sum = 0;
      int cells = 0;
      double fewFirst = 0;
      double fewSecond = 0;
      for (int k = 0; k < first.length; k++) {
        if ((first[k] + second[k]) * n / (n + m) < MIN_EXPECTED) {
          fewFirst += first[k];
          fewSecond += second[k];
        } else {
          sum += part(first[k], second[k], n, m);
          cells++;
        }
      }
      if ((fewFirst + fewSecond) * n / (n + m) >= MIN_EXPECTED) {
        sum += part(fewFirst, fewSecond, n, m);
        cells++;
      }
      return new ChiSquare(sum, cells - 1);
    }

    private static double part(double a, double b, double n, double m) {
      double difference = Math.sqrt(m / n) * a - Math.sqrt(n / m) * b;
      return difference * difference / (a + b);
    }

    /** By Wilson and Hilferty's quantiles, of a normal distribution's. */
    boolean exceeds(double normal) {
      double step = 2.0 / (9 * degrees);
      return statistic > degrees * Math.pow(1 - step + normal * Math.sqrt(step), 3);
    }
  }
}
