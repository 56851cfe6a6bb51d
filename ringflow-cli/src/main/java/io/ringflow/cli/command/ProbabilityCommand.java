package io.ringflow.cli.command;

import io.ringflow.cli.progress.CountProgress;
import io.ringflow.core.DataFormatException;
import io.ringflow.core.Device;
import io.ringflow.table.Condition;
import io.ringflow.table.Probability;
import io.ringflow.table.ProbabilityOptions;
import io.ringflow.table.TableModel;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringflow probability MODEL CONDITION}: how likely rows of a table are to satisfy it. */
@Command(
    name = "probability",
    description = {
      "Say how likely a row is to satisfy a condition, under a model of a table.",
      "With an exact value, or an estimate and its standard error.",
      ""
    },
    customSynopsis = "ringflow probability MODEL CONDITION... [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "A condition is like SQL's WHERE, without OR: =, != or <>, <, <=, >, >=, [NOT] IN (a, b),",
      "[NOT] BETWEEN a AND b, IS [NOT] NULL, NOT before one of these, AND, parentheses. Columns stand",
      "in double quotes or none, values in single quotes or none. A missing value satisfies IS NULL alone.",
      "",
      "Exact where few values must be summed over: where the named columns are sampled first, or columns",
      "are small. Otherwise an estimate by progressive sampling: unbiased, to the tolerance or until there",
      "are enough samples. '+/-' is one standard error.",
      "",
      "One condition is answered in words; several, or with --out, as comma-separated values: condition,",
      "probability, standard_error (0 where exact), samples (0 where exact), and with --count",
      "expected_rows.",
      "",
      "In a process group (see ringflow launch) each process answers some of the conditions.",
      "",
      "Exit codes: 0 all went well, 1 something failed, 2 the command line makes no sense.",
      "",
      "Examples:",
      "  ringflow probability orders.model \"city = 'Rome' AND amount BETWEEN 30 AND 40\"",
      "  ringflow probability orders.model \"paid = no\" --given \"city IN (Rome, Oslo)\"",
      "  ringflow probability orders.model --file conditions.txt --count 1M --out answers.csv"
    })
final class ProbabilityCommand extends ToolCommand {
  @Parameters(index = "0", paramLabel = "MODEL", description = "The model's folder.")
  private Path folder;

  @Parameters(index = "1..*", paramLabel = "CONDITION", description = "What a row must satisfy.")
  private List<String> texts = new ArrayList<>();

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description =
          "Conditions from a file in UTF-8, one in each line; empty lines, and those that begin"
              + " with #, are skipped.")
  private Path file;

  @Option(
      names = "--given",
      paramLabel = "CONDITION",
      description = "Only among rows that satisfy this: P(condition | given).")
  private String givenText;

  @Option(
      names = "--tolerance",
      paramLabel = "SHARE",
      defaultValue = "1%",
      description =
          "The standard error to reach, as a share of the probability, such as 5%%; 0 for exact sums"
              + " alone (default: ${DEFAULT-VALUE}).")
  private Share tolerance;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "20k",
      description = "How many samples to take at most, each (default: ${DEFAULT-VALUE}).")
  private int samples;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Of so many rows, say how many are expected to satisfy it.")
  private Long count;

  @Mixin private SeedOption seed;
  @Mixin private OutputOptions output;
  @Mixin private DeviceOption device;

  /** A condition, and where it was found, for messages. */
  private record Asked(String where, Condition condition) {}

  @Override
  public Integer call() throws IOException {
    requirePositive("--count", count);
    ProbabilityOptions options = options();
    List<Asked> all = conditions();
    Condition given = givenText == null ? Condition.ALWAYS : parsed(givenText, "--given: ");
    IndependentWork part = IndependentWork.fromEnvironment();
    Device where = device.resolve();
    output.check(part, this);
    try (TableModel table = ModelArgument.loadTable(folder, where)) {
      if (all.size() == 1 && file == null && !output.toFile()) {
        print(ask(table, all.get(0), given, options), options);
      } else {
        List<Asked> mine = part.of(all);
        output.write(part, out(), out -> answers(table, mine, given, options, out));
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private ProbabilityOptions options() {
    try {
      return new ProbabilityOptions(tolerance.value(), samples, seed.value());
    } catch (IllegalArgumentException e) {
      throw usage("--" + e.getMessage().replace("maxSamples", "samples"));
    }
  }

  private Condition parsed(String text, String where) {
    try {
      return Condition.parse(text);
    } catch (IllegalArgumentException e) {
      throw usage(where + e.getMessage());
    }
  }

  private List<Asked> conditions() throws IOException {
    if (texts.isEmpty() == (file == null)) {
      throw usage(
          file == null ? "name a condition, or --file" : "--file and CONDITION exclude each other");
    }
    List<Asked> all = new ArrayList<>();
    for (String text : texts) {
      all.add(new Asked("", parsed(text, "")));
    }
    if (file != null) {
      List<String> lines;
      try {
        lines = Files.readAllLines(file);
      } catch (CharacterCodingException e) {
        throw new DataFormatException(file, "is not in UTF-8", e);
      }
      for (int line = 0; line < lines.size(); line++) {
        String text = lines.get(line);
        if (!text.isBlank() && !text.startsWith("#")) {
          String where = "line " + (line + 1) + ": ";
          try {
            all.add(new Asked(file + ": " + where, Condition.parse(text)));
          } catch (IllegalArgumentException e) {
            throw new DataFormatException(file, where + e.getMessage(), e);
          }
        }
      }
      if (all.isEmpty()) {
        throw new DataFormatException(file, "has no condition");
      }
    }
    return all;
  }

  private static Probability ask(
      TableModel model, Asked asked, Condition given, ProbabilityOptions options) {
    try {
      return model.probability(asked.condition, given, options);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(asked.where + e.getMessage(), e);
    }
  }

  private void print(Probability found, ProbabilityOptions options) {
    String value = digits(found.value());
    if (found.exact()) {
      out().printf("probability %s, exact%n", value);
    } else {
      out()
          .printf(
              Locale.ROOT,
              "probability %s +/- %s, from %,d samples%n",
              value,
              digits(found.standardError(), 2),
              found.samples());
    }
    if (count != null) {
      String error =
          found.exact()
              ? ""
              : String.format(Locale.ROOT, " +/- %,.1f", count * found.standardError());
      out()
          .printf(
              Locale.ROOT, "expected rows %,.1f%s of %,d%n", count * found.value(), error, count);
    }
    out().flush();
    if (found.standardError() > options.tolerance() * found.value()) {
      err()
          .println(
              "the tolerance was not reached: --samples takes more than " + options.maxSamples());
      err().flush();
    }
  }

  private void answers(
      TableModel model, List<Asked> all, Condition given, ProbabilityOptions options, Writer out)
      throws IOException {
    List<String> header =
        new ArrayList<>(List.of("condition", "probability", "standard_error", "samples"));
    if (count != null) {
      header.add("expected_rows");
    }
    try (var progress = CountProgress.of(err(), "conditions", all.size())) {
      var csv = new Csv(out, header);
      for (Asked asked : all) {
        Probability found = ask(model, asked, given, options);
        List<String> cells =
            new ArrayList<>(
                List.of(
                    asked.condition.toString(),
                    Double.toString(found.value()),
                    Double.toString(found.standardError()),
                    Integer.toString(found.samples())));
        if (count != null) {
          cells.add(Double.toString(count * found.value()));
        }
        csv.row(cells);
        progress.add(1);
      }
      csv.flush();
    }
  }

  private static String digits(double value) {
    return digits(value, 4);
  }

  /** Of a probability so many significant digits, in decimals where it is not tiny. */
  private static String digits(double value, int digits) {
    if (value == 0 || value == 1) {
      return value == 0 ? "0" : "1";
    }
    return value < 1e-4
        ? String.format(Locale.ROOT, "%." + (digits - 1) + "e", value)
        : String.format(Locale.ROOT, "%." + digits + "g", value);
  }
}
