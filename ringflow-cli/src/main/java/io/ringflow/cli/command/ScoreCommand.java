package io.ringflow.cli.command;

import io.ringflow.RingFlow;
import io.ringflow.cli.report.TextTable;
import io.ringflow.compress.CountModel;
import io.ringflow.model.FittedModel;
import io.ringflow.table.NewValues;
import io.ringflow.table.NumberDetail;
import io.ringflow.table.TableModel;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringflow score MODEL DATA}: how likely rows or texts are, and why they are not. */
@Command(
    name = "score",
    description = {
      "Say how likely rows or texts are under a model.",
      "Or which are the least likely ones, and why.",
      ""
    },
    customSynopsis = "ringflow score MODEL DATA... [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "Of a table: comma-separated values with the row (counted from 1, without the header), its",
      "log_likelihood (natural: -23 is a probability of e^-23, about one in ten billion), and unseen: the",
      "columns whose values training never saw, with semicolons between. Some probability was reserved for",
      "such values, by how many values training saw once; --strict says 0, written as -Infinity. With",
      "several files, the file comes first.",
      "",
      "A number of a column that was cut into bins counts as its bin. With --last-digit it counts as itself,",
      "among all numbers that can be written: then models that were trained with different --bins compare.",
      "",
      "Of texts: for each file its symbols, the unknown_bytes that are no symbols of the model and left",
      "out, the bits its symbols take, and bits_per_symbol. The fewer bits, the likelier. With a model by",
      "counting (train --fast) symbols are bytes, and it continues counting in each file, as compress does.",
      "",
      "--top lists the least likely rows with the columns that cost most, such as city=Rome (-9.3): given",
      "the columns sampled before it, that value had a probability of e^-9.3.",
      "",
      "In a process group (see ringflow launch) each process scores some of the files; --top is of those.",
      "",
      "Exit codes: 0 all went well, 1 something failed, 2 the command line makes no sense.",
      "",
      "Examples:",
      "  ringflow score orders.model orders.csv --top 20",
      "  ringflow score orders.model january.csv february.csv --out scores.csv",
      "  ringflow score fine.model january.csv --last-digit --out fine.csv",
      "  ringflow score novel.model chapter1.txt chapter2.txt"
    })
final class ScoreCommand extends ToolCommand {
  @Parameters(index = "0", paramLabel = "MODEL", description = "The model's folder.")
  private Path folder;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "DATA",
      description = "Tables with the columns of training, in any order; or texts.")
  private List<Path> data;

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "Only the N least likely, the least likely first, to read; with --out, as CSV.")
  private Integer top;

  @Option(
      names = "--strict",
      description =
          "Rows of a table with values that training never saw have probability 0: -Infinity.")
  private boolean strict;

  @Option(
      names = "--last-digit",
      description = "Score numbers of a table to their last digit, not by their bins.")
  private boolean lastDigit;

  @Mixin private OutputOptions output;
  @Mixin private DeviceOption device;
  @Mixin private TableFormatOptions format;

  @Override
  public Integer call() throws IOException {
    requirePositive("--top", top);
    var tableFormat = format.resolve();
    IndependentWork part = IndependentWork.fromEnvironment();
    output.check(part, this);
    List<Path> mine = part.of(data);
    PrintWriter err = err();
    if (CountModel.isAt(folder)) {
      requireTextOptions();
      list(new TextScores(CountModel.load(folder)::score, mine, err), part);
      return CommandLine.ExitCode.OK;
    }
    try (FittedModel model = RingFlow.load(folder, device.resolve())) {
      if (model instanceof TableModel table) {
        list(
            new TableScores(table, mine, data.size() > 1, tableFormat, newValues(), numbers(), err),
            part);
      } else {
        requireTextOptions();
        list(new TextScores(((TextModel) model)::score, mine, err), part);
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private void requireTextOptions() {
    if (strict) {
      throw usage("--strict is of values in a table, and this is a model of texts");
    }
    if (lastDigit) {
      throw usage("--last-digit is of numbers in a table, and this is a model of texts");
    }
  }

  private void list(Listing listing, IndependentWork part) throws IOException {
    PrintWriter screen = out();
    if (top == null) {
      output.write(part, screen, listing::all);
    } else if (output.toFile()) {
      output.write(part, screen, out -> Csv.write(listing.least(top), out));
    } else {
      screen.print(listing.least(top).console());
      screen.flush();
    }
  }

  private NewValues newValues() {
    return strict ? NewValues.IMPOSSIBLE : NewValues.RESERVED;
  }

  private NumberDetail numbers() {
    return lastDigit ? NumberDetail.LAST_DIGIT : NumberDetail.BIN;
  }

  /** Scores, written as they come or sorted. */
  interface Listing {
    /** Writes all of them as comma-separated values. */
    void all(Writer out) throws IOException;

    /** Returns the least likely ones, with reasons. */
    TextTable least(int count) throws IOException;
  }
}
