package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.RingFlow;
import io.ringflow.paper.corpus.Debd;
import io.ringflow.paper.oracle.PlantedTable;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * What it takes to be given any columns: how many independent samples those of a model are worth
 * that has one order of columns, and what a network that knows all orders would cost in its place.
 *
 * <pre>
 *   java io.ringflow.bench.GivenColumns [MINUTES [ROWS [FOLDER]]]
 * </pre>
 *
 * <p>Of a planted table of so many rows, and of the tables of the Density Estimation Benchmark in a
 * folder.
 */
public final class GivenColumns {
  private static final long STRUCTURE = 1;
  private static final long SEED = 2;
  private static final int SAMPLED = 32;
  private static final int QUESTIONS = 20;
  private static final int LOOKS = 8;

  /** What the network is given of a model's time: it has more to learn. */
  private static final int MORE_TIME = 3;

  private static final double[] SHARES = {0.1, 0.5, 0.9};

  private final Duration time;
  private final int count;
  private final Path folder;

  /**
   * Of a planted table and others.
   *
   * @param folder null for no others
   */
  GivenColumns(Duration time, int count, Path folder) {
    this.time = time;
    this.count = count;
    this.folder = folder;
  }

  /** Prints two tables. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    int rows = arguments.integer(1, 50_000);
    Path folder = arguments.path(2);
    Duration time = arguments.minutes(0, 1);
    new GivenColumns(time, rows, folder).print(System.out, System.err);
  }

  void print(PrintStream out, PrintStream err) throws IOException {
    MeasuredTables.print(
        out,
        err,
        progress -> measure(out, progress),
        value(
            "Structure %d, rows of seed %d, training of seed %d, columns of seed %d",
            STRUCTURE, SEED, FitOptions.DEFAULTS.seed(), SEED));
  }

  /** A table, and rows that are not learned from. */
  private record Data(String name, DataTable train, DataTable test) {}

  private List<Data> tables() throws IOException {
    var planted = new PlantedTable(STRUCTURE);
    List<List<String>> cells = PlantedTable.cells(planted.sample(count + 1000, SEED).rows());
    List<Data> all = new ArrayList<>();
    all.add(
        new Data(
            "planted",
            DataTable.of(planted.columns(), cells.subList(1000, cells.size())),
            DataTable.of(planted.columns(), cells.subList(0, 1000))));
    if (folder != null) {
      for (String name : Debd.names(folder)) {
        Debd bits = Debd.read(folder, name);
        all.add(new Data(name, table(bits.train()), table(bits.test())));
      }
    }
    return all;
  }

  private static DataTable table(int[][] bits) {
    List<String> names = IntStream.range(0, bits[0].length).mapToObj(d -> "c" + d).toList();
    return DataTable.of(
        names,
        Arrays.stream(bits)
            .map(row -> Arrays.stream(row).mapToObj(Integer::toString).toList())
            .toList());
  }

  private void measure(PrintStream out, ProgressLines progress) throws IOException {
    var prices =
        new ValueTable(
            "nats per test row", "columns", "the model", "one network for all orders", "its price");
    var worth =
        new ValueTable(
            "share of the columns given",
            "10 %: median",
            "least",
            "ms",
            "50 %: median",
            "least",
            "ms",
            "90 %: median",
            "least",
            "ms");
    for (Data data : tables()) {
      progress.now("%s: %s", data.name, data.train);
      FitOptions options = FitOptions.DEFAULTS.withTime(time).withListener(progress);
      try (TableModel model = RingFlow.train(data.train, options)) {
        TableCodec.Encoded test = model.codec().encode(data.test);
        int[] seen =
            IntStream.range(0, test.size()).filter(row -> test.unseen(row).isEmpty()).toArray();
        int[][] rows =
            Arrays.stream(seen).mapToObj(row -> test.symbols()[row]).toArray(int[][]::new);
        worth.row(worth(model, data, seen));
        double own = Arrays.stream(model.flow().logProb(rows)).average().orElseThrow();
        double all = anyOrder(model, data, rows, progress);
        prices.row(
            data.name,
            Integer.toString(data.test.columns().size()),
            value("%.3f", -own),
            value("%.3f", -all),
            value("%+.3f", own - all));
      }
    }
    out.printf(
        Locale.ROOT,
        "How many independent samples %d rows are worth, of random columns given:%n%n",
        SAMPLED);
    out.println(worth);
    out.printf(
        Locale.ROOT,
        "What one network for all orders of columns would cost in the model's place. It is trained on"
            + " rows of which random columns are hidden, for %d times the model's time, and needs no"
            + " weights; but its conditionals do not agree with each other exactly. Its figure is the"
            + " mean over all orders:%n%n",
        MORE_TIME);
    out.println(prices);
  }

  private double anyOrder(TableModel model, Data data, int[][] test, ProgressLines progress)
      throws IOException {
    int[][] all = model.codec().encode(data.train).symbols();
    int held = Math.max(1, Math.min(2000, all.length / 10));
    try (AnyOrderNetwork network =
        AnyOrderNetwork.train(
            model.codec().space(),
            Arrays.copyOfRange(all, held, all.length),
            Arrays.copyOf(all, held),
            time.multipliedBy(MORE_TIME),
            progress)) {
      return network.meanLogProb(test, LOOKS);
    }
  }

  private static String[] worth(TableModel model, Data data, int[] seen) {
    var random = new SplittableRandom(SEED);
    List<String> cells = new ArrayList<>(List.of(data.name));
    model.sample(1, Map.of(data.test.columns().get(0), data.test.cell(seen[0], 0)), SEED);
    for (double share : SHARES) {
      double[] worth = new double[QUESTIONS];
      double[] millis = new double[QUESTIONS];
      for (int i = 0; i < QUESTIONS; i++) {
        List<String> row = data.test.row(seen[i % seen.length]);
        Map<String, String> given = new LinkedHashMap<>();
        for (int d = 0; d < row.size(); d++) {
          if (random.nextDouble() < share) {
            given.put(data.test.columns().get(d), row.get(d));
          }
        }
        int seed = i;
        Timed<TableModel.Sample> asked = Timed.of(() -> model.sample(SAMPLED, given, seed));
        worth[i] = asked.result().exact() ? SAMPLED : asked.result().effective();
        millis[i] = 1000 * asked.seconds();
      }
      Arrays.sort(worth);
      Arrays.sort(millis);
      cells.add(value("%.1f", worth[QUESTIONS / 2]));
      cells.add(value("%.1f", worth[0]));
      cells.add(value("%.0f", millis[QUESTIONS / 2]));
    }
    return cells.toArray(String[]::new);
  }
}
