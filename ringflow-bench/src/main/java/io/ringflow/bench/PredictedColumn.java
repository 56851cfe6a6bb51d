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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How well a column is predicted from all others, on rows of a file of their own: the share that is
 * right, the log-loss and the area under the receiver's curve, beside the column's frequencies and
 * what other programs predicted.
 *
 * <pre>
 *   java io.ringflow.bench.PredictedColumn TRAIN TEST COLUMN [MINUTES [FOLDER [SEED...]]]
 * </pre>
 *
 * <p>Other programs are those whose predictions are in the folder, as {@code NAME.csv}: a table
 * whose columns are named by the values to predict, with their probabilities for each row of the
 * test file.
 */
public final class PredictedColumn {
  private final Path train;
  private final Path test;
  private final String column;
  private final Duration time;
  private final Path folder;
  private final List<Long> seeds;

  /**
   * Of files of rows to learn from and to predict.
   *
   * @param folder of other programs' predictions; null for none
   * @param seeds of training, a model each
   */
  PredictedColumn(
      Path train, Path test, String column, Duration time, Path folder, List<Long> seeds) {
    this.train = train;
    this.test = test;
    this.column = column;
    this.time = time;
    this.folder = folder;
    this.seeds = seeds;
  }

  /** Prints a table. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    List<Long> seeds = Arrays.stream(args).skip(5).map(Long::valueOf).toList();
    new PredictedColumn(
            Path.of(args[0]),
            Path.of(args[1]),
            args[2],
            arguments.minutes(3, 2),
            arguments.path(4),
            seeds.isEmpty() ? List.of(FitOptions.DEFAULTS.seed()) : seeds)
        .print(System.out, System.err);
  }

  void print(PrintStream out, PrintStream err) throws IOException {
    MeasuredTables.print(
        out,
        err,
        progress -> measure(out, progress),
        value("At most %.1f minutes of training each", time.toMillis() / 60e3));
  }

  private void measure(PrintStream out, ProgressLines progress) throws IOException {
    DataTable learned = DataTable.read(train);
    DataTable asked = DataTable.read(test);
    TableCodec codec = TableCodec.fit(learned, CodecOptions.DEFAULTS);
    int at = asked.columns().indexOf(column);
    List<String> actual =
        IntStream.range(0, asked.size()).mapToObj(i -> asked.cell(i, at)).toList();
    var table =
        new ValueTable(
            value("%s of %,d rows, learned from %,d", column, asked.size(), learned.size()),
            "right",
            "log-loss",
            "area under the curve",
            "seconds to learn");
    for (long seed : seeds) {
      Timed<TableModel> timed =
          Timed.of(
              () ->
                  TableModel.train(
                      learned,
                      codec,
                      FitOptions.DEFAULTS.withTime(time).withSeed(seed).withListener(progress)));
      try (TableModel model = timed.result()) {
        Predictions found = model.predict(asked, column, ProgressListener.IGNORED);
        double[][] shares = new double[found.size()][];
        Arrays.setAll(shares, found::probabilities);
        table.row(
            cells(
                "the model, seed " + seed,
                found.values(),
                shares,
                actual,
                value("%.0f", timed.seconds())));
      }
    }
    for (OtherProgram program :
        folder == null ? List.<OtherProgram>of() : OtherProgram.in(folder)) {
      DataTable rows = program.rows(asked.size());
      double[][] shares = new double[rows.size()][];
      Arrays.setAll(shares, i -> rows.row(i).stream().mapToDouble(Double::parseDouble).toArray());
      table.row(cells(program.name(), rows.columns(), shares, actual, ""));
    }
    table.row(frequencies(learned, actual));
    out.println(table);
  }

  private String[] frequencies(DataTable learned, List<String> actual) {
    int at = learned.columns().indexOf(column);
    List<String> cells =
        IntStream.range(0, learned.size()).mapToObj(i -> learned.cell(i, at)).toList();
    List<String> values = cells.stream().distinct().sorted().toList();
    double[] shares =
        values.stream()
            .mapToDouble(v -> cells.stream().filter(v::equals).count() / (double) cells.size())
            .toArray();
    double[][] all = new double[actual.size()][];
    Arrays.fill(all, shares);
    return cells("frequencies", values, all, actual, "");
  }

  private static String[] cells(
      String name, List<String> values, double[][] shares, List<String> actual, String seconds) {
    int right = 0;
    double nats = 0;
    for (int row = 0; row < shares.length; row++) {
      double[] own = shares[row];
      int best = IntStream.range(0, own.length).reduce(0, (a, b) -> own[b] > own[a] ? b : a);
      int there = values.indexOf(actual.get(row));
      right += best == there ? 1 : 0;
      nats -= Math.log(there < 0 ? 0 : own[there]);
    }
    return new String[] {
      name,
      value("%.2f %%", 100.0 * right / shares.length),
      value("%.4f", nats / shares.length),
      value("%.4f", area(values, shares, actual)),
      seconds
    };
  }

  /** The mean over the values, each against all others; of two values both have the same. */
  private static double area(List<String> values, double[][] shares, List<String> actual) {
    List<Double> areas = new ArrayList<>();
    for (int k = 0; k < values.size(); k++) {
      int value = k;
      boolean[] is = new boolean[shares.length];
      for (int row = 0; row < is.length; row++) {
        is[row] = actual.get(row).equals(values.get(k));
      }
      long count = IntStream.range(0, is.length).filter(row -> is[row]).count();
      if (count > 0 && count < is.length) {
        double[] share = Arrays.stream(shares).mapToDouble(own -> own[value]).toArray();
        areas.add(RankingArea.of(share, is));
      }
    }
    return areas.stream().mapToDouble(area -> area).average().orElse(Double.NaN);
  }
}
