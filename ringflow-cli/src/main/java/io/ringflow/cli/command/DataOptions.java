package io.ringflow.cli.command;

import io.ringflow.table.CodecOptions;
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
      names = "--categories",
      paramLabel = "N",
      description =
          "The most values of a column with a symbol each; numbers of more values are cut into"
              + " bins, the rarest of more texts share a symbol (default: 256).")
  private Integer categories;

  @Option(
      names = "--bins",
      paramLabel = "N",
      description = "The most bins a column of numbers is cut into (default: 32).")
  private Integer bins;

  @Option(
      names = "--rare",
      paramLabel = "N",
      description = "Texts seen in fewer rows than this share a symbol (default: 2).")
  private Integer rare;

  /**
   * Returns what the data is: what the user says, or else by the file's name.
   *
   * @param format which makes sense for a table alone
   */
  Kind kind(Path data, TableFormatOptions format) {
    if (Stream.of(table, text, bytes).filter(chosen -> chosen).count() > 1) {
      throw usage("--table, --text and --bytes exclude each other");
    }
    Kind kind = text ? Kind.TEXT : bytes ? Kind.BYTES : byName(data);
    boolean forTables =
        format.used() || !missing.isEmpty() || categories != null || bins != null || rare != null;
    if (kind != Kind.TABLE && forTables) {
      throw usage(
          "--separator, --header, --missing, --categories, --bins and --rare are for tables, but "
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
        within("--categories", categories, 2, 65_536, defaults.maxCategories()),
        within("--bins", bins, 1, 65_536, defaults.bins()),
        within("--rare", rare, 1, Integer.MAX_VALUE, defaults.minCount()),
        none);
  }

  private int within(String option, Integer value, int least, int most, int otherwise) {
    if (value == null) {
      return otherwise;
    }
    if (value < least || value > most) {
      throw usage(option + " must be in " + least + ".." + most + ", but is " + value);
    }
    return value;
  }

  private ParameterException usage(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
