package io.ringflow.cli.command;

import io.ringflow.RingFlow;
import io.ringflow.cli.progress.CountProgress;
import io.ringflow.core.Device;
import io.ringflow.model.FittedModel;
import io.ringflow.table.DataTable;
import io.ringflow.table.Predictions;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringflow predict MODEL DATA --column NAME}: one column given all others. */
@Command(
    name = "predict",
    description = {
      "Say how likely each value of one column is, given all others in a row.",
      "Exact: the probabilities of the row with each of the values, over their sum.",
      ""
    },
    customSynopsis = "ringflow predict MODEL DATA --column NAME [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "Comma-separated values: the row (counted from 1), the likeliest value as prediction, and its",
      "probability. A column of numbers in bins is predicted by bin, such as '17 to 21'; (rare) and",
      "(missing) are values too. Nothing is predicted where another column has a value that training",
      "never saw. Where DATA has the column, actual_probability is that of the value (its bin) that is",
      "there, 0 for one never seen; and a line on the error stream says how many predictions are right,",
      "and the mean log-loss in nats over rows whose value was seen.",
      "",
      "Exit codes: 0 all went well, 1 something failed, 2 the command line makes no sense.",
      "",
      "Examples:",
      "  ringflow predict orders.model new.csv --column paid",
      "  ringflow predict orders.model new.csv --column paid --distribution --out paid.csv"
    })
final class PredictCommand extends ToolCommand {
  @Parameters(index = "0", paramLabel = "MODEL", description = "The model's folder.")
  private Path folder;

  @Parameters(
      index = "1",
      paramLabel = "DATA",
      description =
          "A table with the columns of training, in any order; it may lack the one to predict.")
  private Path file;

  @Option(
      names = "--column",
      paramLabel = "NAME",
      required = true,
      description = "The column to predict.")
  private String column;

  @Option(
      names = "--distribution",
      description = "The probability of every value too, in a column of its own such as p(Rome).")
  private boolean distribution;

  @Mixin private OutputOptions output;
  @Mixin private DeviceOption device;
  @Mixin private TableFormatOptions format;

  @Override
  public Integer call() throws IOException {
    var tableFormat = format.resolve();
    Device where = device.resolve();
    IndependentWork all = new IndependentWork(0, 1);
    output.check(all, this);
    try (FittedModel model = RingFlow.load(folder, where)) {
      if (!(model instanceof TableModel table)) {
        throw new IllegalArgumentException(folder + ": is a model of texts, not of a table");
      }
      int position = table.codec().position(column);
      DataTable data = DataTable.read(file, tableFormat);
      Predictions predictions;
      try (var progress = CountProgress.of(err(), "rows", data.size())) {
        predictions = predict(table, data, progress);
      }
      boolean known = !data.named() || data.columns().contains(column);
      Actual actual = known ? Actual.of(table.codec(), data, position, predictions) : null;
      output.write(all, out(), out -> write(predictions, actual, out));
      if (actual != null) {
        tell(actual);
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private Predictions predict(TableModel model, DataTable data, CountProgress progress) {
    try {
      return model.predict(data, column, progress);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * How likely what is there was.
   *
   * @param probabilities by row; not a number where nothing was predicted
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Actual(double[] probabilities, int right, int predicted, double logLoss) {
    static Actual of(TableCodec codec, DataTable data, int column, Predictions predictions) {
      TableCodec.Encoded rows = codec.encode(data);
      double[] probabilities = new double[rows.size()];
      int right = 0;
      int predicted = 0;
      int seen = 0;
      double sum = 0;
      for (int row = 0; row < probabilities.length; row++) {
        int likeliest = predictions.likeliest(row);
        if (likeliest < 0) {
          probabilities[row] = Double.NaN;
          continue;
        }
        predicted++;
        if (!rows.unseen(row).contains(column)) {
          int symbol = rows.symbols()[row][column];
          probabilities[row] = predictions.probabilities(row)[symbol];
          right += symbol == likeliest ? 1 : 0;
          sum -= Math.log(probabilities[row]);
          seen++;
        }
      }
      return new Actual(probabilities, right, predicted, sum / seen);
    }
  }

  private void write(Predictions predictions, Actual actual, Writer out) throws IOException {
    List<String> header = new ArrayList<>(List.of("row", "prediction", "probability"));
    if (actual != null) {
      header.add("actual_probability");
    }
    if (distribution) {
      predictions.values().forEach(value -> header.add("p(" + value + ")"));
    }
    var csv = new Csv(out, header);
    for (int row = 0; row < predictions.size(); row++) {
      double[] probabilities = predictions.probabilities(row);
      int likeliest = predictions.likeliest(row);
      boolean none = likeliest < 0;
      List<String> cells = new ArrayList<>();
      cells.add(Integer.toString(row + 1));
      cells.add(none ? "" : predictions.values().get(likeliest));
      cells.add(none ? "" : Double.toString(probabilities[likeliest]));
      if (actual != null) {
        cells.add(none ? "" : Double.toString(actual.probabilities[row]));
      }
      if (distribution) {
        for (int k = 0; k < predictions.values().size(); k++) {
          cells.add(none ? "" : Double.toString(probabilities[k]));
        }
      }
      csv.row(cells);
    }
    csv.flush();
  }

  private void tell(Actual actual) {
    if (actual.predicted > 0) {
      long unseen = Arrays.stream(actual.probabilities).filter(p -> p == 0).count();
      err()
          .printf(
              Locale.ROOT,
              "%.1f %% of %,d predictions are right, log-loss %.4f nats%s%n",
              100.0 * actual.right / actual.predicted,
              actual.predicted,
              actual.logLoss,
              unseen == 0
                  ? ""
                  : String.format(Locale.ROOT, " without %,d values never seen", unseen));
      err().flush();
    }
  }
}
