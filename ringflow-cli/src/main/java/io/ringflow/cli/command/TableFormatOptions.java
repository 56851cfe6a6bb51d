package io.ringflow.cli.command;

import io.ringflow.table.TableFormat;
import io.ringflow.table.TableFormat.Header;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How the file of a table is written, where the reader should not detect it. */
final class TableFormatOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--separator",
      paramLabel = "C",
      description =
          "What stands between two cells of a table: a character such as ';', or the word tab"
              + " (default: comma, tab, semicolon or pipe, detected).")
  private String separator;

  @Option(
      names = "--header",
      paramLabel = "yes|no",
      description =
          "Whether a table's first line names its columns (default: detected; it does if none of"
              + " its cells is a number or occurs again below).")
  private String header;

  /** Whether any of them was used, which makes no sense for a text. */
  boolean used() {
    return separator != null || header != null;
  }

  /**
   * Returns what the user said.
   *
   * @throws ParameterException if that is no format
   */
  TableFormat resolve() {
    TableFormat format = TableFormat.AUTO.withHeader(header());
    if (separator == null) {
      return format;
    }
    String sign = separator.equals("tab") ? "\t" : separator;
    if (sign.length() != 1) {
      throw usage("--separator must be one character, or tab, but is '" + separator + "'");
    }
    try {
      return format.separatedBy(sign.charAt(0));
    } catch (IllegalArgumentException e) {
      throw usage("--" + e.getMessage());
    }
  }

  private Header header() {
    if (header == null) {
      return Header.AUTO;
    }
    return switch (header) {
      case "yes" -> Header.YES;
      case "no" -> Header.NO;
      default -> throw usage("--header must be yes or no, but is '" + header + "'");
    };
  }

  private ParameterException usage(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
