package io.ringflow.cli.command;

import io.ringflow.cli.progress.CountProgress;
import io.ringflow.cli.report.TableModelPage;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code inspect --html}, and what they ask for. */
final class HtmlReport {
  private static final int DEFAULT_ROWS = 10_000;

  @Option(
      names = "--html",
      paramLabel = "PAGE.html",
      description = "Write a report of a table's model, with pictures, instead of the text.")
  private Path file;

  @Option(
      names = "--data",
      paramLabel = "FILE",
      description = "With --html: a table to compare samples with, best the one of training.")
  private Path data;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description =
          "With --html: how many rows are sampled, and at most chosen from the data at random"
              + " (default: 10k).")
  private Integer rows;

  @Mixin private SeedOption seed;
  @Mixin private OverwriteOption overwrite;
  @Mixin private TableFormatOptions format;

  boolean isWanted() {
    return file != null;
  }

  /** Refuses what makes no sense, before any long work. */
  void check(ToolCommand command) throws IOException {
    command.requirePositive("--rows", rows);
    if (file != null) {
      format.resolve();
      overwrite.requireWritable(file);
    } else if (data != null || rows != null || format.used()) {
      String used = data != null ? "--data" : rows != null ? "--rows" : "--separator and --header";
      throw command.usage(used + " needs --html");
    }
  }

  void write(TableModel model, Path folder, ToolCommand command) throws IOException {
    DataTable table = data == null ? null : DataTable.read(data, format.resolve());
    int count = rows == null ? DEFAULT_ROWS : rows;
    PrintWriter err = command.err();
    var findings =
        new TableFindings(model, count, seed.value(), () -> CountProgress.of(err, "rows"));
    String page =
        TableModelPage.html(
            table == null ? findings.alone(folder) : findings.beside(folder, data, table));
    OutputOptions.writeText(file, out -> out.write(page));
    PrintWriter screen = command.out();
    screen.printf(Locale.ROOT, "Report: %s%n", file);
    screen.flush();
  }
}
