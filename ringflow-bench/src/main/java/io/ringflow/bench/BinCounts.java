package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.core.ProgressListener;
import io.ringflow.table.CodecOptions;
import io.ringflow.table.DataTable;
import io.ringflow.table.NewValues;
import io.ringflow.table.NumberDetail;
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
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What held-out rows cost to the last digit of their numbers, by the number of bins, and how well
 * some columns are predicted from all others.
 *
 * <pre>
 *   java io.ringflow.bench.BinCounts FILE [MINUTES [BINS,BINS... [ROWS [COLUMN,COLUMN...]]]]
 * </pre>
 *
 * <p>0 bins are as many as the number of rows says.
 */
public final class BinCounts {
  private static final long SEED = 2;

  private final int held;
  private final Path file;
  private final Duration time;
  private final List<Integer> bins;
  private final int rows;
  private final List<String> predicted;

  /**
   * Of so many rows of a file to learn from, and others.
   *
   * @param predicted names of columns
   */
  BinCounts(
      Path file, Duration time, List<Integer> bins, int rows, int held, List<String> predicted) {
    this.held = held;
    this.predicted = predicted;
    this.file = file;
    this.time = time;
    this.bins = bins;
    this.rows = rows;
  }

  /** Prints a table. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    String counts = arguments.text(2, "16,32,64,128,256");
    new BinCounts(
            Path.of(args[0]),
            arguments.minutes(1, 2),
            Arrays.stream(counts.split(",")).map(Integer::valueOf).toList(),
            arguments.integer(3, Integer.MAX_VALUE),
            5000,
            args.length > 4 ? List.of(args[4].split(",")) : List.of())
        .print(System.out, System.err);
  }

  void print(PrintStream out, PrintStream err) throws IOException {
    MeasuredTables.print(
        out,
        err,
        progress -> measure(out, progress),
        value("Rows of seed %d, training of seed %d", SEED, FitOptions.DEFAULTS.seed()));
  }

  private void measure(PrintStream out, ProgressLines progress) throws IOException {
    DataTable all = DataTable.read(file);
    List<Integer> order = new ArrayList<>(IntStream.range(0, all.size()).boxed().toList());
    Collections.shuffle(order, new Random(SEED));
    int[] shuffled = order.stream().mapToInt(row -> row).toArray();
    DataTable fresh = all.rows(Arrays.copyOf(shuffled, held));
    DataTable train = all.rows(Arrays.stream(shuffled).skip(held).limit(rows).toArray());
    List<String> header =
        new ArrayList<>(
            List.of(
                value("%,d rows, %,d held out", train.size(), held),
                "nats a row, by bin",
                "to the last digit"));
    predicted.forEach(column -> header.addAll(List.of(column + " right", "log-loss")));
    header.add("seconds to learn");
    var table = new ValueTable(header.toArray(String[]::new));
    for (int count : bins) {
      TableCodec codec = TableCodec.fit(train, CodecOptions.DEFAULTS.withBins(count));
      Timed<TableModel> timed =
          Timed.of(
              () ->
                  TableModel.train(
                      train, codec, FitOptions.DEFAULTS.withTime(time).withListener(progress)));
      try (TableModel model = timed.result()) {
        List<String> cells =
            new ArrayList<>(
                List.of(
                    count == 0 ? "bins by rows" : value("%d bins", count),
                    value("%.3f", nats(model, fresh, NumberDetail.BIN)),
                    value("%.3f", nats(model, fresh, NumberDetail.LAST_DIGIT))));
        predicted.forEach(column -> cells.addAll(outcome(model, fresh, column)));
        cells.add(value("%.0f", timed.seconds()));
        table.row(cells.toArray(String[]::new));
      }
    }
    out.println(table);
  }

  /** How often the likeliest value is right, and the mean log-loss. */
  private static List<String> outcome(TableModel model, DataTable rows, String column) {
    Predictions found = model.predict(rows, column, ProgressListener.IGNORED);
    int right = 0;
    double nats = 0;
    for (int row = 0; row < found.size(); row++) {
      int actual = found.actual(row);
      right += found.likeliest(row) == actual ? 1 : 0;
      nats -= Math.log(actual < 0 ? 0 : found.probabilities(row)[actual]);
    }
    return List.of(
        value("%.1f %%", 100.0 * right / rows.size()), value("%.3f", nats / rows.size()));
  }

  private static double nats(TableModel model, DataTable rows, NumberDetail numbers) {
    double[] nats = model.score(rows, NewValues.RESERVED, numbers);
    return -Arrays.stream(nats).average().orElseThrow();
  }
}
