package io.ringflow.cli.command;

import io.ringflow.cli.progress.CountProgress;
import io.ringflow.core.Device;
import io.ringflow.table.CompletionOptions;
import io.ringflow.table.DataTable;
import io.ringflow.table.Predictions;
import io.ringflow.table.TableModel;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringflow predict MODEL DATA --column NAME}: one column given what is known of others. */
@Command(
    name = "predict",
    description = {
      "Say how likely each value of one column is, given what a row says of the others.",
      "Exact where DATA has all other columns: the probabilities of the row with each value, over their sum.",
      ""
    },
    customSynopsis = "ringflow predict MODEL DATA --column NAME [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "Comma-separated values: the row (counted from 1), the likeliest value as prediction, its",
      "probability, and standard_error, which is 0 where the probability is exact. A column of numbers in",
      "bins is predicted by bin, such as '17 to 21'; (rare) and (missing) are values too. Where DATA has the",
      "column, actual_probability is that of the value (its bin) that is there, 0 for one never seen, blank",
      "where the cell is missing and training had no such in the column; and a line on the error stream says",
      "how many predictions are right, of rows that have a value, and the mean log-loss in nats over those",
      "whose value was seen.",
      "",
      "DATA may lack columns: they are summed out, and so are blank cells of columns where training had no",
      "missing values, and values never seen that no rare value or number stands for. That is exact up to",
      "1,024 combinations of values; where a row has more, so many --samples of them are taken.",
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
          "A table with columns of training, in any order; those that it lacks are unknown.")
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

  @Option(
      names = "--samples",
      paramLabel = "N",
      description =
          "How many samples to take of a row with too many combinations of unknown values, 16 to"
              + " 65536 (default: 128).")
  private Integer samples;

  @Mixin private SeedOption seed;
  @Mixin private OutputOptions output;
  @Mixin private DeviceOption device;
  @Mixin private TableFormatOptions format;

  @Override
  public Integer call() throws IOException {
    requirePositive("--samples", samples);
    CompletionOptions options = options();
    var tableFormat = format.resolve();
    Device where = device.resolve();
    IndependentWork all = new IndependentWork(0, 1);
    output.check(all, this);
    try (TableModel table = ModelArgument.loadTable(folder, where)) {
      table.codec().position(column); // says so before a large file is read
      DataTable data = DataTable.read(file, tableFormat);
      Predictions predictions;
      try (var progress = CountProgress.of(err(), "rows", data.size())) {
        predictions = predict(table, data, options, progress);
      }
      boolean known = !data.named() || data.columns().contains(column);
      Actual actual = known ? Actual.of(predictions) : null;
      output.write(all, out(), out -> write(predictions, actual, out));
      tell(predictions, actual);
    }
    return CommandLine.ExitCode.OK;
  }

  private Predictions predict(
      TableModel model, DataTable data, CompletionOptions options, CountProgress progress) {
    try {
      return model.predict(data, column, options, progress);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  private CompletionOptions options() {
    CompletionOptions defaults = CompletionOptions.DEFAULTS.withSeed(seed.value());
    return samples == null ? defaults : defaults.withSamples(samples);
  }

  /**
   * How likely what is there was.
   *
   * @param probabilities by row; NaN where there is no value
   * @param there how many rows have a value
   * @param seen how many of these training saw
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Actual(double[] probabilities, int right, int there, int seen, double logLoss) {
    static Actual of(Predictions predictions) {
      double[] probabilities = new double[predictions.size()];
      int right = 0;
      int there = 0;
      int seen = 0;
      double sum = 0;
      for (int row = 0; row < probabilities.length; row++) {
        int symbol = predictions.actual(row);
        if (symbol >= 0) {
          probabilities[row] = predictions.probabilities(row)[symbol];
          right += symbol == predictions.likeliest(row) ? 1 : 0;
          sum -= Math.log(probabilities[row]);
          seen++;
        }
        if (predictions.hasActual(row)) {
          there++;
        } else {
          probabilities[row] = Double.NaN;
        }
      }
      return new Actual(probabilities, right, there, seen, sum / seen);
    }

    String probability(int row) {
      return Double.isNaN(probabilities[row]) ? "" : Double.toString(probabilities[row]);
    }

    String summary() {
      String left =
          seen == there
              ? ""
              : String.format(
                  Locale.ROOT, " without %,d values that were never seen", there - seen);
      return String.format(
          Locale.ROOT,
          "%.1f %% of %,d predictions are right%s",
          100.0 * right / there,
          there,
          seen == 0 ? "" : String.format(Locale.ROOT, ", log-loss %.4f nats%s", logLoss, left));
    }
  }

  private void write(Predictions predictions, Actual actual, Writer out) throws IOException {
    List<String> header =
        new ArrayList<>(List.of("row", "prediction", "probability", "standard_error"));
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
      List<String> cells = new ArrayList<>();
      cells.add(Integer.toString(row + 1));
      cells.add(predictions.values().get(likeliest));
      cells.add(Double.toString(probabilities[likeliest]));
      cells.add(Double.toString(predictions.standardErrors(row)[likeliest]));
      if (actual != null) {
        cells.add(actual.probability(row));
      }
      if (distribution) {
        Arrays.stream(probabilities).mapToObj(Double::toString).forEach(cells::add);
      }
      csv.row(cells);
    }
    csv.flush();
  }

  private void tell(Predictions predictions, Actual actual) {
    if (actual != null && actual.there > 0) {
      err().println(actual.summary());
    }
    long estimated =
        IntStream.range(0, predictions.size()).filter(row -> !predictions.exact(row)).count();
    if (estimated > 0) {
      err()
          .printf(
              Locale.ROOT,
              "not exact in %,d rows with many combinations of unknown values: estimated from samples%n",
              estimated);
    }
    err().flush();
  }
}
