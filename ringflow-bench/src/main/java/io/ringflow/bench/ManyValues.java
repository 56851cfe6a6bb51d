package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.core.ProgressListener;
import io.ringflow.table.CodecOptions;
import io.ringflow.table.DataTable;
import io.ringflow.table.Predictions;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a column of many names costs on held-out rows, learned in two parts, and with all but the
 * 255 most frequent names rare, beside the cost under the distribution itself; and what it takes to
 * predict it from the other columns.
 *
 * <pre>
 *   java io.ringflow.bench.ManyValues [VALUES [ROWS [MINUTES]]]
 * </pre>
 *
 * <p>A name has a city, which nine of ten of its rows have, the others any; a city has a kind,
 * which seven of ten rows have. Frequencies fall with the square root of a name's rank.
 */
public final class ManyValues {
  private static final int CITIES = 40;
  private static final int KINDS = 5;
  private static final double OWN_CITY = 0.9;
  private static final double OWN_KIND = 0.7;
  private static final double FIRST_RANK = 50;
  private static final int HELD = 5000;
  private static final int PREDICTED = 100;
  private static final int FEW = 256;

  private final int values;
  private final int rows;
  private final Duration time;
  private final double[] upTo; // the frequencies of names, added up

  ManyValues(int values, int rows, Duration time) {
    this.values = values;
    this.rows = rows;
    this.time = time;
    upTo = new double[values];
    Arrays.setAll(upTo, name -> 1 / Math.sqrt(name + FIRST_RANK));
    Arrays.parallelPrefix(upTo, Double::sum);
  }

  /** Prints two tables. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    int values = arguments.integer(0, 100_000);
    int rows = arguments.integer(1, 1_000_000);
    new ManyValues(values, rows, arguments.minutes(2, 2)).print(System.out, System.err);
  }

  void print(PrintStream out, PrintStream err) throws IOException {
    MeasuredTables.print(
        out,
        err,
        progress -> measure(out, progress),
        value(
            "Rows of seed 1, held-out rows of seed 2, training of seed %d",
            FitOptions.DEFAULTS.seed()));
  }

  private void measure(PrintStream out, ProgressLines progress) throws IOException {
    DataTable train = table(sample(rows, 1));
    int[][] held = sample(HELD, 2);
    var table =
        new ValueTable(
            value("%,d names, %,d rows", values, rows),
            "nats a held-out row",
            "seconds to learn",
            "memory so far");
    table.row("the distribution itself", value("%.4f", entropy(held)), "", "");
    var predicted =
        new ValueTable(
            value("names of %,d held-out rows, predicted from city and kind", PREDICTED),
            "nats a row",
            "ms a row",
            "memory so far");
    for (CodecOptions options :
        List.of(CodecOptions.DEFAULTS, CodecOptions.DEFAULTS.withMaxTexts(FEW))) {
      TableCodec codec = TableCodec.fit(train, options);
      Timed<TableModel> timed =
          Timed.of(
              () ->
                  TableModel.train(
                      train, codec, FitOptions.DEFAULTS.withTime(time).withListener(progress)));
      try (TableModel model = timed.result()) {
        double nats = -Arrays.stream(model.score(table(held))).average().orElseThrow();
        table.row(
            options.maxTexts() == FEW ? "all but 255 names rare" : "names in two parts",
            value("%.4f", nats),
            value("%.0f", timed.seconds()),
            value("%,d MiB", ProcessMemory.peak() >> 20));
        if (options.maxTexts() != FEW) {
          progress.now("predicting names");
          predict(model, Arrays.copyOf(held, PREDICTED), predicted);
        }
      }
    }
    out.println(table);
    out.println(predicted);
  }

  /** Adds what the names of rows cost that have one of their own, given the rest of the row. */
  private void predict(TableModel model, int[][] rows, ValueTable into) throws IOException {
    Timed<Predictions> timed =
        Timed.of(() -> model.predict(table(rows), "name", ProgressListener.IGNORED));
    Predictions found = timed.result();
    double nats = 0;
    double exact = 0;
    int known = 0;
    for (int row = 0; row < rows.length; row++) {
      int actual = found.actual(row);
      if (actual >= 0 && found.values().get(actual).equals("name" + rows[row][1])) {
        nats -= Math.log(found.probabilities(row)[actual]);
        exact -= logConditional(rows[row]);
        known++;
      }
    }
    into.row(
        value("the distribution itself, %,d rows with no rare name", known),
        value("%.4f", exact / known),
        "",
        "");
    into.row(
        value("the model, %,d probabilities a row", found.values().size()),
        value("%.4f", nats / known),
        value("%.1f", 1000 * timed.seconds() / rows.length),
        value("%,d MiB", ProcessMemory.peak() >> 20));
  }

  /** The natural log-probability of a name given its city; kinds say nothing more. */
  private double logConditional(int[] row) {
    double all = 0;
    for (int name = 0; name < values; name++) {
      all += shareOf(name) * cityShare(row[0], name);
    }
    return Math.log(shareOf(row[1]) * cityShare(row[0], row[1]) / all);
  }

  private double shareOf(int name) {
    return (upTo[name] - (name == 0 ? 0 : upTo[name - 1])) / upTo[values - 1];
  }

  private static double cityShare(int city, int name) {
    return (city == cityOf(name) ? OWN_CITY : 0) + (1 - OWN_CITY) / CITIES;
  }

  /** Rows of a city, a name and a kind. */
  private int[][] sample(int count, long seed) {
    var random = new SplittableRandom(seed);
    int[][] sampled = new int[count][];
    for (int i = 0; i < count; i++) {
      int found = Arrays.binarySearch(upTo, random.nextDouble() * upTo[values - 1]);
      int name = Math.min(values - 1, found < 0 ? -found - 1 : found + 1);
      int city = random.nextDouble() < OWN_CITY ? cityOf(name) : random.nextInt(CITIES);
      int kind = random.nextDouble() < OWN_KIND ? city % KINDS : random.nextInt(KINDS);
      sampled[i] = new int[] {city, name, kind};
    }
    return sampled;
  }

  private static int cityOf(int name) {
    return new SplittableRandom(name).nextInt(CITIES);
  }

  private static DataTable table(int[][] rows) {
    List<List<String>> cells = new ArrayList<>();
    for (int[] row : rows) {
      cells.add(List.of("city" + row[0], "name" + row[1], "kind" + row[2]));
    }
    return DataTable.of(List.of("city", "name", "kind"), cells);
  }

  private double entropy(int[][] rows) {
    double sum = 0;
    for (int[] row : rows) {
      sum -= Math.log(shareOf(row[1])) + Math.log(cityShare(row[0], row[1]));
      sum -= Math.log((row[2] == row[0] % KINDS ? OWN_KIND : 0) + (1 - OWN_KIND) / KINDS);
    }
    return sum / rows.length;
  }
}
