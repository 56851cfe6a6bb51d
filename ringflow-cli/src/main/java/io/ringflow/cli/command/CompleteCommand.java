package io.ringflow.cli.command;

import io.ringflow.cli.progress.CountProgress;
import io.ringflow.core.Device;
import io.ringflow.table.CompletionOptions;
import io.ringflow.table.Completions;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableModel;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringflow complete MODEL DATA}: a table whose missing cells are filled. */
@Command(
    name = "complete",
    description = {
      "Fill the missing cells of a table, those of a row together.",
      "With the most likely values given the row's other cells, or with samples of them.",
      ""
    },
    customSynopsis = "ringflow complete MODEL DATA [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "Comma-separated values: the table as it was, with values where there were none. A cell is missing",
      "where it is blank or stood for a missing value in training, also in columns where training had none.",
      "A number is filled with the middle one of its bin; --draws samples one of them. A cell with a value",
      "that training never saw stays, and counts as one of the rare values of its column; where there are",
      "none, it says nothing of the others.",
      "",
      "--draws N, for multiple imputation: every row N times, in columns draw (1 to N) and row (counted",
      "from 1) before the others; all rows of the first draw come first.",
      "",
      "Exact where a row has at most 1,024 completions; of others so many --samples are looked at: the most",
      "likely values are the best of them, draws are picked by weight. A line on the error stream says of",
      "how many rows.",
      "",
      "Exit codes: 0 all went well, 1 something failed, 2 the command line makes no sense.",
      "",
      "Examples:",
      "  ringflow complete orders.model gaps.csv --out orders.csv",
      "  ringflow complete orders.model gaps.csv --draws 5 --probability --out draws.csv"
    })
final class CompleteCommand extends ToolCommand {
  private static final String DRAW = "draw";
  private static final String ROW = "row";
  private static final String PROBABILITY = "probability";

  @Parameters(index = "0", paramLabel = "MODEL", description = "The model's folder.")
  private Path folder;

  @Parameters(
      index = "1",
      paramLabel = "DATA",
      description = "A table with the columns of training, in any order.")
  private Path file;

  @Option(
      names = "--draws",
      paramLabel = "N",
      description = "Sample the missing cells N times, instead of the most likely values once.")
  private Integer draws;

  @Option(
      names = "--probability",
      description =
          "In a last column, how likely a row's filled cells are together, given the others: 1 where"
              + " nothing was missing. A number counts as its bin.")
  private boolean probability;

  @Option(
      names = "--samples",
      paramLabel = "N",
      description =
          "How many completions to look at where there are too many for all, 16 to 65536 (default:"
              + " 128); at least 8 for each draw.")
  private Integer samples;

  @Mixin private SeedOption seed;
  @Mixin private OutputOptions output;
  @Mixin private DeviceOption device;
  @Mixin private TableFormatOptions format;

  @Override
  public Integer call() throws IOException {
    requirePositive("--draws", draws);
    requirePositive("--samples", samples);
    CompletionOptions options = options();
    var tableFormat = format.resolve();
    Device where = device.resolve();
    IndependentWork all = new IndependentWork(0, 1);
    output.check(all, this);
    try (TableModel table = ModelArgument.loadTable(folder, where)) {
      DataTable data = DataTable.read(file, tableFormat);
      requireNoneNamed(data, draws == null ? List.of() : List.of(DRAW, ROW));
      requireNoneNamed(data, probability ? List.of(PROBABILITY) : List.of());
      Completions completions;
      try (var progress = CountProgress.of(err(), "rows", data.size())) {
        completions = complete(table, data, options, progress);
      }
      output.write(all, out(), out -> write(completions, out));
      tell(completions, data.size());
    }
    return CommandLine.ExitCode.OK;
  }

  private CompletionOptions options() {
    try {
      CompletionOptions options =
          CompletionOptions.DEFAULTS.withDraws(draws == null ? 0 : draws).withSeed(seed.value());
      return samples == null ? options : options.withSamples(samples);
    } catch (IllegalArgumentException e) {
      throw usage("--" + e.getMessage());
    }
  }

  private void requireNoneNamed(DataTable data, List<String> added) {
    for (String name : added) {
      if (data.columns().contains(name)) {
        throw new IllegalArgumentException(
            file + ": has a column '" + name + "', as the output would too; rename it");
      }
    }
  }

  private Completions complete(
      TableModel model, DataTable data, CompletionOptions options, CountProgress progress) {
    try {
      return model.complete(data, options, progress);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  private void write(Completions completions, Writer out) throws IOException {
    List<String> header = new ArrayList<>(draws == null ? List.of() : List.of(DRAW, ROW));
    header.addAll(completions.tables().get(0).columns());
    if (probability) {
      header.add(PROBABILITY);
    }
    var csv = new Csv(out, header);
    for (int i = 0; i < completions.tables().size(); i++) {
      DataTable table = completions.tables().get(i);
      double[] probabilities = completions.probabilities(i);
      for (int row = 0; row < table.size(); row++) {
        List<String> cells = new ArrayList<>();
        if (draws != null) {
          cells.add(Integer.toString(i + 1));
          cells.add(Integer.toString(row + 1));
        }
        cells.addAll(table.row(row));
        if (probability) {
          cells.add(Double.toString(probabilities[row]));
        }
        csv.row(cells);
      }
    }
    csv.flush();
  }

  private void tell(Completions completions, int rows) {
    err().printf(Locale.ROOT, "%,d missing cells filled%n", completions.filledCells());
    if (completions.sampledRows() > 0) {
      double worth =
          IntStream.range(0, rows)
              .filter(row -> !completions.isExact(row))
              .mapToDouble(completions::effectiveSamples)
              .average()
              .orElseThrow();
      err()
          .printf(
              Locale.ROOT,
              "not exact in %,d rows of many completions: out of samples worth %.1f independent ones"
                  + " on average%n",
              completions.sampledRows(),
              worth);
    }
    err().flush();
  }
}
