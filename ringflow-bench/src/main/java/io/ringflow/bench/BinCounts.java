package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.table.CodecOptions;
import io.ringflow.table.DataTable;
import io.ringflow.table.NewValues;
import io.ringflow.table.NumberDetail;
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
 * What held-out rows cost to the last digit of their numbers, by the number of bins.
 *
 * <pre>
 *   java io.ringflow.bench.BinCounts FILE [MINUTES [BINS,BINS... [ROWS]]]
 * </pre>
 */
public final class BinCounts {
  private static final long SEED = 2;
  private static final int HELD = 5000;

  private final Path file;
  private final Duration time;
  private final List<Integer> bins;
  private final int rows;

  /** Of so many rows of a file to learn from, and others. */
  BinCounts(Path file, Duration time, List<Integer> bins, int rows) {
    this.file = file;
    this.time = time;
    this.bins = bins;
    this.rows = rows;
  }

  /** Prints a table. */
  public static void main(String[] args) throws IOException {
    System.setProperty("org.bytedeco.javacpp.maxphysicalbytes", "0");
    double minutes = args.length > 1 ? Double.parseDouble(args[1]) : 2;
    String counts = args.length > 2 ? args[2] : "16,32,64,128,256";
    new BinCounts(
            Path.of(args[0]),
            Duration.ofMillis(Math.round(60_000 * minutes)),
            Arrays.stream(counts.split(",")).map(Integer::valueOf).toList(),
            args.length > 3 ? Integer.parseInt(args[3]) : Integer.MAX_VALUE)
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
    DataTable held = all.rows(Arrays.copyOf(shuffled, HELD));
    DataTable train = all.rows(Arrays.stream(shuffled).skip(HELD).limit(rows).toArray());
    var table =
        new ValueTable(
            value("%,d rows, %,d held out", train.size(), HELD),
            "nats a row, by bin",
            "to the last digit",
            "seconds to learn");
    for (int count : bins) {
      TableCodec codec = TableCodec.fit(train, CodecOptions.DEFAULTS.withBins(count));
      Timed<TableModel> timed =
          Timed.of(
              () ->
                  TableModel.train(
                      train, codec, FitOptions.DEFAULTS.withTime(time).withListener(progress)));
      try (TableModel model = timed.result()) {
        table.row(
            value("%d bins", count),
            value("%.3f", nats(model, held, NumberDetail.BIN)),
            value("%.3f", nats(model, held, NumberDetail.LAST_DIGIT)),
            value("%.0f", timed.seconds()));
      }
    }
    out.println(table);
  }

  private static double nats(TableModel model, DataTable rows, NumberDetail numbers) {
    double[] nats = model.score(rows, NewValues.RESERVED, numbers);
    return -Arrays.stream(nats).average().orElseThrow();
  }
}
