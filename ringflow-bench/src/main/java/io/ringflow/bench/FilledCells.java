package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.RingFlow;
import io.ringflow.paper.oracle.PlantedTable;
import io.ringflow.table.ChowLiu;
import io.ringflow.table.CompletionOptions;
import io.ringflow.table.Completions;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableColumn;
import io.ringflow.table.TableModel;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * How well a model fills a tenth of the cells of held-out rows, beside the most frequent values and
 * the Chow-Liu tree, whose likeliest values and probabilities are exact.
 *
 * <pre>
 *   java io.ringflow.bench.FilledCells [MINUTES [ROWS [FILE [FOLDER]]]]
 * </pre>
 *
 * <p>Of a planted table, or of so many rows of a file, shuffled. All three see the same symbols: a
 * number is right if its bin is. With a folder, other programs can be compared: the rows to learn
 * from and those with gaps are written there, as {@code train.csv} and {@code gaps.csv}, and what
 * other programs filled is read from {@code filled/NAME.csv}.
 */
public final class FilledCells {
  private static final long STRUCTURE = 1;
  private static final long SEED = 2;
  private static final double REMOVED = 0.1;

  private final Duration time;
  private final int count;
  private final int held;
  private final Path file;
  private final Path folder;

  /**
   * Of so many rows to learn from, and others.
   *
   * @param file null for a planted table
   * @param folder through which other programs are compared; null for none
   */
  FilledCells(Duration time, int count, int held, Path file, Path folder) {
    this.time = time;
    this.count = count;
    this.held = held;
    this.file = file;
    this.folder = folder;
  }

  /** Prints a table. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    int rows = arguments.integer(1, 50_000);
    Path file = arguments.path(2);
    Duration time = arguments.minutes(0, 2);
    new FilledCells(time, rows, 1000, file, arguments.path(3)).print(System.out, System.err);
  }

  void print(PrintStream out, PrintStream err) throws IOException {
    MeasuredTables.print(
        out,
        err,
        progress -> measure(out, progress),
        value(
            "%srows and gaps of seed %d, training of seed %d",
            file == null ? "Structure " + STRUCTURE + ", " : "", SEED, FitOptions.DEFAULTS.seed()));
  }

  private DataTable table() throws IOException {
    if (file == null) {
      var planted = new PlantedTable(STRUCTURE);
      return DataTable.of(
          planted.columns(), PlantedTable.cells(planted.sample(count + held, SEED).rows()));
    }
    DataTable all = DataTable.read(file);
    List<Integer> rows = new ArrayList<>(IntStream.range(0, all.size()).boxed().toList());
    Collections.shuffle(rows, new Random(SEED));
    return all.rows(rows.stream().limit(count + held).mapToInt(row -> row).toArray());
  }

  private void measure(PrintStream out, ProgressLines progress) throws IOException {
    DataTable all = table();
    DataTable train = all.rows(IntStream.range(held, all.size()).toArray());
    try (TableModel model =
        RingFlow.train(train, FitOptions.DEFAULTS.withTime(time).withListener(progress))) {
      TableCodec codec = model.codec();
      TableCodec.Encoded rows = codec.encode(all.rows(IntStream.range(0, held).toArray()));
      int[] known = IntStream.range(0, held).filter(row -> rows.unseen(row).isEmpty()).toArray();
      DataTable truth = all.rows(known);
      boolean[][] gaps = gaps(known.length, codec.columns().size());
      DataTable missing = with(truth, gaps);
      Timed<Completions> timed =
          Timed.of(
              () ->
                  model.complete(
                      missing,
                      CompletionOptions.DEFAULTS,
                      (done, total) -> progress.done("rows", done, total)));
      int[][] symbols = codec.encode(truth).symbols();
      ChowLiu tree = ChowLiu.fit(codec.space(), codec.encode(train).symbols(), 1);
      Outcome ofModel = ofModel(model, timed.result(), missing, symbols, gaps);
      Outcome ofTree = ofTree(tree, codec, symbols, gaps);
      Outcome frequent = ofFrequencies(codec, symbols, gaps);
      long cells = Arrays.stream(gaps).mapToLong(FilledCells::count).sum();
      var table =
          new ValueTable(
                  value("%,d cells removed from %,d held-out rows", cells, known.length),
                  "right",
                  "log-loss, nats a cell")
              .row(ofModel.row("the model", cells))
              .row(ofTree.row("Chow-Liu tree", cells))
              .row(frequent.row("most frequent value", cells));
      if (folder != null) {
        compare(train, missing, codec, symbols, gaps, table);
      }
      out.println(table);
      out.printf(
          "The cells of a row are filled together, and its log-loss is of all of them together."
              + " %,d rows have too many completions to look at all: the best of %d samples. %.1f ms"
              + " a row; learned from %,d rows.%n%n",
          timed.result().sampledRows(),
          CompletionOptions.DEFAULTS.samples(),
          1000 * timed.seconds() / known.length,
          train.size());
    }
  }

  /** Writes what other programs need, and reads what they made of it before. */
  private void compare(
      DataTable train,
      DataTable missing,
      TableCodec codec,
      int[][] truth,
      boolean[][] gaps,
      ValueTable table)
      throws IOException {
    train.write(folder.resolve("train.csv"));
    missing.write(folder.resolve("gaps.csv"));
    long cells = Arrays.stream(gaps).mapToLong(FilledCells::count).sum();
    for (OtherProgram program : OtherProgram.in(folder.resolve("filled"))) {
      int[][] symbols = codec.encode(program.rows(truth.length)).symbols();
      table.row(program.name(), value("%.2f %%", 100.0 * right(truth, symbols, gaps) / cells), "");
    }
  }

  private static boolean[][] gaps(int rows, int columns) {
    var random = new SplittableRandom(SEED);
    boolean[][] gaps = new boolean[rows][columns];
    for (boolean[] row : gaps) {
      for (int d = 0; d < columns; d++) {
        row[d] = random.nextDouble() < REMOVED;
      }
    }
    return gaps;
  }

  private static DataTable with(DataTable truth, boolean[][] gaps) {
    List<List<String>> rows = new ArrayList<>();
    for (int row = 0; row < gaps.length; row++) {
      List<String> cells = new ArrayList<>(truth.row(row));
      for (int d = 0; d < cells.size(); d++) {
        if (gaps[row][d]) {
          cells.set(d, "");
        }
      }
      rows.add(cells);
    }
    return DataTable.of(truth.columns(), rows);
  }

  private static long count(boolean[] row) {
    return IntStream.range(0, row.length).filter(d -> row[d]).count();
  }

  /** How many cells are right, and the sum of all log-losses. */
  private record Outcome(long right, double nats) {
    String[] row(String name, long cells) {
      return new String[] {
        name, value("%.2f %%", 100.0 * right / cells), value("%.4f", nats / cells)
      };
    }
  }

  private static long right(int[][] truth, int[][] filled, boolean[][] gaps) {
    long right = 0;
    for (int row = 0; row < gaps.length; row++) {
      for (int d = 0; d < gaps[row].length; d++) {
        right += gaps[row][d] && truth[row][d] == filled[row][d] ? 1 : 0;
      }
    }
    return right;
  }

  private static Outcome ofModel(
      TableModel model, Completions found, DataTable missing, int[][] truth, boolean[][] gaps) {
    int[][] filled = model.codec().encode(found.tables().get(0)).symbols();
    double[] whole = model.flow().logProb(truth);
    double[] shares = model.codec().encode(missing).logProbGivenSymbols();
    double nats = 0;
    for (int row = 0; row < whole.length; row++) {
      nats += found.logProbKnown()[row] - shares[row] - whole[row];
    }
    return new Outcome(right(truth, filled, gaps), nats);
  }

  private static Outcome ofTree(ChowLiu tree, TableCodec codec, int[][] truth, boolean[][] gaps) {
    int[][] filled = new int[truth.length][];
    double[] whole = tree.logProb(truth);
    double nats = 0;
    for (int row = 0; row < truth.length; row++) {
      Map<Integer, double[]> weights = new HashMap<>();
      for (int d = 0; d < gaps[row].length; d++) {
        TableColumn column = codec.columns().get(d);
        double[] own = new double[column.cardinality()];
        if (gaps[row][d]) {
          Arrays.fill(own, 1);
          if (column.missingSymbol() >= 0) {
            own[column.missingSymbol()] = 0;
          }
        } else {
          own[truth[row][d]] = 1;
        }
        weights.put(d, own);
      }
      filled[row] = tree.likeliest(weights);
      nats += Math.log(tree.probability(weights)) - whole[row];
    }
    return new Outcome(right(truth, filled, gaps), nats);
  }

  private static Outcome ofFrequencies(TableCodec codec, int[][] truth, boolean[][] gaps) {
    int[][] filled = new int[truth.length][truth[0].length];
    double nats = 0;
    for (int d = 0; d < codec.columns().size(); d++) {
      double[] shares = shares(codec.columns().get(d));
      int best =
          IntStream.range(0, shares.length).reduce(0, (a, b) -> shares[b] > shares[a] ? b : a);
      for (int row = 0; row < truth.length; row++) {
        filled[row][d] = best;
        nats -= gaps[row][d] ? Math.log(shares[truth[row][d]]) : 0;
      }
    }
    return new Outcome(right(truth, filled, gaps), nats);
  }

  /** Of the symbols that stand for values. */
  private static double[] shares(TableColumn column) {
    List<Integer> counts = new ArrayList<>();
    if (column instanceof TableColumn.Categories categories) {
      counts.addAll(categories.values().counts());
      if (categories.rareSymbol() >= 0) {
        counts.add((int) categories.rare().total());
      }
    } else {
      ((TableColumn.Bins) column).bins().forEach(bin -> counts.add(bin.count()));
    }
    double sum = counts.stream().mapToInt(count -> count).sum();
    return counts.stream().mapToDouble(count -> count / sum).toArray();
  }
}
