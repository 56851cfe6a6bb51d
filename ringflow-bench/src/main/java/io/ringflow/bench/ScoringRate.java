package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.RingFlow;
import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.Device;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.paper.oracle.PlantedTable;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableModel;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How fast the models of people's own data score rows, and which share that is of what the device
 * does at its best: a large square matrix product in the same precision, measured right before and
 * right after, of which the better counts.
 *
 * <pre>
 *   java io.ringflow.bench.ScoringRate [DEVICE]
 * </pre>
 *
 * <p>A row counts as one multiplication and one addition for every weight it is multiplied by: all
 * elements of the weight matrices, those a mask makes zero too, once for a row of a table and once
 * for each symbol of a text. Not counted is whatever else there is to do: looking up vectors,
 * attention's products of queries, keys and values, biases, non-linearities, softmax, and moving
 * symbols to the device.
 *
 * <p>Speed does not depend on what was learned: the table's model is trained for a moment, for the
 * sake of its architecture, and the text's is not trained at all.
 */
public final class ScoringRate {
  private static final int LENGTH = 256;
  private static final Space TEXT = Space.uniform(LENGTH, 27);
  private static final int[][] NOTHING = {};

  private final Device device;
  private final int tableRows;
  private final int textRows;
  private final double leastSeconds;
  private final ToDoubleFunction<Precision> peak;

  /**
   * Measures with rows of both kinds.
   *
   * @param leastSeconds to measure for
   * @param peak operations a second of a matrix product
   */
  ScoringRate(
      Device device,
      int tableRows,
      int textRows,
      double leastSeconds,
      ToDoubleFunction<Precision> peak) {
    this.device = device;
    this.tableRows = tableRows;
    this.textRows = textRows;
    this.leastSeconds = leastSeconds;
    this.peak = peak;
  }

  /** Prints a table. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    Device device = Device.of(arguments.text(0, "cpu"));
    boolean gpu = device == Device.CUDA;
    new ScoringRate(
            device, 20_000, gpu ? 1024 : 64, 5, precision -> MatrixPeak.of(device, precision))
        .print(System.out, System.err);
  }

  void print(PrintStream out, PrintStream err) throws IOException {
    var progress = new ProgressLines(err);
    ValueTable table =
        new ValueTable(
            "model", "precision", "rows/s", "symbols/s", "Mflop a row", "share of the peak");
    Timed<Void> all =
        Timed.of(
            () -> {
              table(table, progress);
              text(table, "LSTM, 512 units", new Lstm(64, 512, 1), progress);
              if (device == Device.CUDA) {
                Network attention = new Transformer(512, 8, 8, 2048);
                text(table, "Transformer, 8 layers of 512", attention, progress);
              }
              return null;
            });
    out.println(table);
    out.println(
        "The peak is a large matrix product in the same precision, the better of one right before"
            + " and one right after. Counted"
            + " are the weights that a row is multiplied by, twice each.");
    out.println();
    out.println(ValueTable.provenance("Seed 1, on " + device, all.seconds()));
  }

  private void table(ValueTable table, ProgressLines progress) throws IOException {
    var planted = new PlantedTable(1);
    int[][] sampled = planted.sample(tableRows, 1).rows();
    DataTable cells = DataTable.of(planted.columns(), PlantedTable.cells(sampled));
    FitOptions options = FitOptions.DEFAULTS.withTime(Duration.ofMillis(1));
    Architecture architecture;
    int[][] rows;
    try (TableModel model = RingFlow.train(cells, options)) {
      architecture = model.flow().architecture();
      rows = model.codec().encode(cells).symbols();
    }
    try (FlowModel model = FlowModel.create(architecture, device, 1)) {
      String name = value("table of %d columns", architecture.space().size());
      rows(table, name, model, rows, multiplied(model), progress);
    }
  }

  private void text(ValueTable table, String name, Network network, ProgressLines progress) {
    Architecture architecture =
        Architecture.of(TEXT, new AutoregressiveBase(Order.natural(LENGTH), network));
    try (FlowModel model = FlowModel.create(architecture, device, 1)) {
      rows(
          table,
          value("text of %d letters, %s", LENGTH, name),
          model,
          Models.rows(TEXT, textRows),
          LENGTH * multiplied(model),
          progress);
    }
  }

  /** Weights that are multiplied by: of a table's network for each row, of a text's each symbol. */
  static long multiplied(FlowModel model) {
    return model.parameterCounts().entrySet().stream()
        .filter(e -> e.getKey().substring(e.getKey().lastIndexOf('.') + 1).startsWith("weight"))
        .mapToLong(e -> e.getValue())
        .sum();
  }

  private void rows(
      ValueTable table,
      String name,
      FlowModel model,
      int[][] rows,
      long multiplied,
      ProgressLines progress) {
    for (Precision precision : List.of(Precision.FLOAT64, Precision.FLOAT32)) {
      double before = peak.applyAsDouble(precision);
      double rate = rate(model, rows, precision);
      double best = Math.max(before, peak.applyAsDouble(precision));
      progress.now("%s, %s: %.0f rows/s; peak %.1f Gflop/s", name, precision, rate, best * 1e-9);
      table.row(
          name,
          precision == Precision.FLOAT64 ? "float64" : "float32",
          value("%,.1f", rate),
          value("%,.0f", rate * rows[0].length),
          value("%.2f", 2e-6 * multiplied),
          value("%.1f %%", 100 * rate * 2 * multiplied / best));
    }
  }

  private double rate(FlowModel model, int[][] rows, Precision precision) {
    model.logProb(rows, NOTHING, precision); // the first call copies the weights
    long started = System.nanoTime();
    double seconds;
    long scored = 0;
    do {
      scored += model.logProb(rows, NOTHING, precision).length;
      seconds = (System.nanoTime() - started) * 1e-9;
    } while (seconds < leastSeconds);
    return scored / seconds;
  }
}
