package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.above;
import static io.ringflow.bench.ValueTable.value;

import io.ringflow.RingFlow;
import io.ringflow.model.Metrics;
import io.ringflow.paper.oracle.PlantedTable;
import io.ringflow.table.DataTable;
import io.ringflow.table.NewValues;
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
import java.util.stream.IntStream;

/**
 * How close {@link RingFlow#train(DataTable, FitOptions)} comes to a table whose distribution is
 * known, and how well its scores find the odd rows.
 *
 * <pre>
 *   java io.ringflow.bench.OwnTable [MINUTES [STRUCTURE [ROWS]]]
 * </pre>
 *
 * <p>The time is that of the whole call: encoding, ordering columns, training, and the metrics that
 * are kept with the model. Likelihoods are of fresh rows, which no part of it has seen.
 */
public final class OwnTable {
  private static final long ROWS_SEED = 2;
  private static final long FRESH_SEED = 3;
  private static final long NEW_SEED = 4;
  private static final int FRESH = 20_000;
  private static final double MAX_SECONDS = 600;

  private final Duration time;
  private final long structure;
  private final PlantedTable planted;
  private final int count;
  private final int freshCount;

  OwnTable(Duration time, long structure, int count, int freshCount) {
    this.time = time;
    this.structure = structure;
    this.planted = new PlantedTable(structure);
    this.count = count;
    this.freshCount = freshCount;
  }

  /** Prints five tables. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    long structure = arguments.number(1, 1);
    int rows = arguments.integer(2, 100_000);
    Duration time = arguments.minutes(0, 3);
    new OwnTable(time, structure, rows, FRESH).print(System.out, System.err);
  }

  void print(PrintStream out, PrintStream err) throws IOException {
    MeasuredTables.print(
        out,
        err,
        progress -> measure(out, progress),
        value(
            "Structure %d, rows of seed %d, fresh rows of seed %d, training of seed %d",
            structure, ROWS_SEED, FRESH_SEED, FitOptions.DEFAULTS.seed()));
  }

  private void measure(PrintStream out, ProgressLines progress) throws IOException {
    PlantedTable.Rows rows = planted.sample(count, ROWS_SEED);
    DataTable table = table(rows);
    FitOptions options = FitOptions.DEFAULTS.withTime(time).withListener(progress);
    Timed<TableModel> training = Timed.of(() -> RingFlow.train(table, options));
    try (TableModel model = training.result()) {
      progress.now("trained in %.1f s; scoring", training.seconds());
      PlantedTable.Rows fresh = planted.sample(freshCount, FRESH_SEED);
      DataTable freshTable = table(fresh);
      double[] freshNats = model.score(freshTable, NewValues.IMPOSSIBLE);
      Timed<double[]> scoring = Timed.of(() -> model.score(table, NewValues.IMPOSSIBLE));
      out.println(likelihoods(fresh, freshNats));
      out.println(areas(rows, scoring.result(), fresh, freshNats));
      out.println(
          "The exact probabilities are not the best ranking: a row tells whether it is odd (an area"
              + " of 1), but a common odd row is likelier than a rare one that is not.");
      out.println();
      out.println(newValues(model, fresh));
      out.println(metrics(model.metrics().orElseThrow()));
      out.println(
          new ValueTable("cost", "")
              .row(
                  "training in all, " + value("%,d", count) + " rows",
                  value("%.1f s", training.seconds()))
              .row(
                  value("at most %.0f minutes", MAX_SECONDS / 60),
                  training.seconds() <= MAX_SECONDS ? "yes" : "no")
              .row(
                  "scoring in float64, from text cells",
                  value("%,.0f rows/s", count / scoring.seconds()))
              .row("parameters", value("%,d", model.flow().parameterCount())));
    }
  }

  private DataTable table(PlantedTable.Rows rows) {
    return DataTable.of(planted.columns(), PlantedTable.cells(rows.rows()));
  }

  private String likelihoods(PlantedTable.Rows fresh, double[] nats) {
    int[] known = IntStream.range(0, nats.length).filter(i -> Double.isFinite(nats[i])).toArray();
    double model = Arrays.stream(known).mapToDouble(i -> -nats[i]).average().orElse(Double.NaN);
    double exact =
        Arrays.stream(known)
            .mapToDouble(i -> -planted.logProb(fresh.rows()[i]))
            .average()
            .orElse(Double.NaN);
    String rows = value("%,d fresh rows", known.length);
    return new ValueTable("nats per row", "", "the model is above by")
            .row("the model, " + rows, value("%.3f", model), "")
            .row("exact, the same rows", value("%.3f", exact), above(model, exact))
            .row("exact entropy", value("%.3f", planted.entropy()), above(model, planted.entropy()))
        + value(
            "%n%,d fresh rows of %,d have a value that training never saw, and are left out of both means.%n",
            nats.length - known.length, nats.length);
  }

  private String areas(
      PlantedTable.Rows rows, double[] nats, PlantedTable.Rows fresh, double[] freshNats) {
    return new ValueTable("area under the curve of odd rows", "odd", "the model", "exact")
        .row(area(value("the table's %,d rows", nats.length), rows, nats))
        .row(area(value("%,d fresh rows", freshNats.length), fresh, freshNats))
        .toString();
  }

  private String[] area(String name, PlantedTable.Rows rows, double[] nats) {
    double[] model = Arrays.stream(nats).map(n -> -n).toArray();
    double[] exact = Arrays.stream(rows.rows()).mapToDouble(row -> -planted.logProb(row)).toArray();
    long odd = IntStream.range(0, nats.length).filter(i -> rows.odd()[i]).count();
    return new String[] {
      name,
      value("%,d", odd),
      value("%.4f", RankingArea.of(model, rows.odd())),
      value("%.4f", RankingArea.of(exact, rows.odd()))
    };
  }

  /** One row of a hundred gets a value that training never saw, in any one column. */
  private String newValues(TableModel model, PlantedTable.Rows fresh) {
    var random = new SplittableRandom(NEW_SEED);
    boolean[] changed = new boolean[fresh.rows().length];
    List<List<String>> rows = new ArrayList<>();
    for (List<String> row : PlantedTable.cells(fresh.rows())) {
      List<String> cells = new ArrayList<>(row);
      if (rows.isEmpty() || random.nextInt(100) == 0) {
        changed[rows.size()] = true;
        cells.set(random.nextInt(cells.size()), "new");
      }
      rows.add(cells);
    }
    DataTable table = DataTable.of(planted.columns(), rows);
    double[] oddness = Arrays.stream(model.score(table)).map(n -> -n).toArray();
    double max = Arrays.stream(oddness).max().orElseThrow();
    TableCodec.Encoded encoded = model.codec().encode(table);
    double[] unseenFirst =
        IntStream.range(0, oddness.length)
            .mapToDouble(i -> oddness[i] + (encoded.unseen(i).isEmpty() ? 0 : max))
            .toArray();
    return new ValueTable(
            "area under the curve of rows with a new value",
            "rows",
            "by score",
            "by `unseen`, then by score")
        .row(
            value("one of 100, %,d fresh rows", rows.size()),
            value("%,d", IntStream.range(0, changed.length).filter(i -> changed[i]).count()),
            value("%.4f", RankingArea.of(oddness, changed)),
            value("%.4f", RankingArea.of(unseenFirst, changed)))
        .toString();
  }

  private static String metrics(Metrics metrics) {
    String heading = metrics.unit() + ", " + metrics.heldOut() + " held out of the table";
    return new ValueTable(heading, "")
        .row("the model", value("%.3f", metrics.model()))
        .row("independent columns", value("%.3f", metrics.factorised()))
        .row("all rows alike", value("%.3f", metrics.raw()))
        .row("deflated text, the whole table", value("%.3f", metrics.deflated()))
        .toString();
  }
}
