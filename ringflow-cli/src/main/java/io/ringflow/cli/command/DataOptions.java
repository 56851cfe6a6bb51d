package io.ringflow.cli.command;

import io.ringflow.table.CodecOptions;
import io.ringflow.table.MissingValues;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the data to learn from is, and how a table's cells become symbols. */
final class DataOptions {
  /** What data can be. */
  enum Kind {
    TABLE,
    TEXT,
    BYTES
  }

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(names = "--table", description = "DATA is a table, whatever its name.")
  private boolean table;

  @Option(names = "--text", description = "DATA is a text of characters (UTF-8).")
  private boolean text;

  @Option(
      names = "--bytes",
      description =
          "DATA is any file, taken byte by byte: for a model that is to compress files like it.")
  private boolean bytes;

  @Option(
      names = "--missing",
      paramLabel = "VALUE",
      description =
          "A cell that holds this has no value, such as NA; the empty cell never has one. May be"
              + " repeated.")
  private List<String> missing = new ArrayList<>();

  @Option(
      names = "--missing-cells",
      paramLabel = "HOW",
      description =
          "What becomes of cells without a value: symbol makes them a value of their own, sum-out learns"
              + " complete rows from what is there of them (default: symbol).")
  private String missingCells;

  @Option(
      names = "--max-categories",
      paramLabel = "N",
      description =
          "How many different values of a column get a symbol each at most; a column of more numbers"
              + " is cut into bins (default: 256), of more texts the rarest share a symbol (default:"
              + " 1048576). Columns of more than 256 are learned in two parts.")
  private Integer maxCategories;

  @Option(
      names = "--bins",
      paramLabel = "N",
      description =
          "How many bins a column of numbers is cut into at most (default: three times the cube root of the"
              + " number of rows, from 32 to 256).")
  private Integer bins;

  @Option(
      names = "--min-count",
      paramLabel = "N",
      description =
          "In how many rows a text must occur to get a symbol of its own; rarer texts of a column"
              + " share one (default: 2).")
  private Integer minCount;

  /**
   * Returns what the data is: what the user says, or else by the file's name. Several files can't
   * be a table.
   *
   * @param format which makes sense for a table alone
   */
  Kind kind(List<Path> files, TableFormatOptions format) {
    Kind kind = kind(files.get(0), format);
    for (Path file : files) {
      if (files.size() > 1 && kind(file, format) == Kind.TABLE) {
        throw usage(
            "a table is one file, but there are "
                + files.size()
                + " with "
                + file
                + "; --text takes all for texts");
      }
    }
    return kind;
  }

  private Kind kind(Path data, TableFormatOptions format) {
    if (Stream.of(table, text, bytes).filter(chosen -> chosen).count() > 1) {
      throw usage("--table, --text and --bytes exclude each other");
    }
    Kind kind = text ? Kind.TEXT : bytes ? Kind.BYTES : byName(data);
    boolean forTables =
        format.used()
            || !missing.isEmpty()
            || missingCells != null
            || maxCategories != null
            || bins != null
            || minCount != null;
    if (kind != Kind.TABLE && forTables) {
      throw usage(
          "--separator, --header, --missing, --missing-cells, --max-categories, --bins and --min-count are"
              + " for tables, but "
              + data
              + " is taken for a text; --table says otherwise");
    }
    return kind;
  }

  private Kind byName(Path data) {
    String name = data.toString().toLowerCase(Locale.ROOT);
    return table || Stream.of(".csv", ".tsv", ".tab").anyMatch(name::endsWith)
        ? Kind.TABLE
        : Kind.TEXT;
  }

  /**
   * Returns how cells become symbols.
   *
   * @throws ParameterException if a number is out of bounds
   */
  CodecOptions codec() {
    CodecOptions defaults = CodecOptions.DEFAULTS;
    List<String> none = new ArrayList<>(defaults.missing());
    missing.stream().map(String::strip).forEach(none::add);
    return new CodecOptions(
        within("--max-categories", maxCategories, 2, 65_536, defaults.maxCategories()),
        within("--max-categories", maxCategories, 2, 65_536, defaults.maxTexts()),
        within("--bins", bins, 1, 65_536, defaults.bins()),
        within("--min-count", minCount, 1, Integer.MAX_VALUE, defaults.minCount()),
        none,
        missingValues());
  }

  private MissingValues missingValues() {
    if (missingCells == null || missingCells.equals("symbol")) {
      return MissingValues.SYMBOL;
    }
    if (missingCells.equals("sum-out")) {
      return MissingValues.SUMMED_OUT;
    }
    throw usage("--missing-cells must be symbol or sum-out, but is '" + missingCells + "'");
  }

  private int within(String option, Integer value, int min, int max, int otherwise) {
    if (value == null) {
      return otherwise;
    }
    if (value < min || value > max) {
      throw usage(option + " must be in " + min + ".." + max + ", but is " + value);
    }
    return value;
  }

  private ParameterException usage(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
