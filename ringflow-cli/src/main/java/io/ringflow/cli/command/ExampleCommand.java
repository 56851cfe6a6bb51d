package io.ringflow.cli.command;

import io.ringflow.paper.oracle.PlantedTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringflow example table FILE}: data to try the tool on, with the truth beside it. */
@Command(
    name = "example",
    description = {
      "Write a made-up table to try things on, whose distribution is known exactly.",
      ""
    },
    customSynopsis = "ringflow example table FILE.csv [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "The table has 50 columns of 2 to 200 values: 30 depend on each other as a tree, 20 are functions of",
      "those. One row in a hundred is odd: four of its functions are wrong, though every value is an",
      "ordinary one. FILE-odd.csv says which rows these are, to compare with ringflow score --top.",
      "",
      "Exit codes: 0 the files are there, 1 something failed, 2 the command line makes no sense.",
      "",
      "Example:",
      "  ringflow example table orders.csv --rows 20k"
    })
final class ExampleCommand extends ToolCommand {
  private static final String TABLE = "table";
  private static final String ENDING = ".csv";
  private static final int BLOCK_ROWS = 1024;

  @Parameters(index = "0", paramLabel = "KIND", description = "What to make: table.")
  private String kind;

  @Parameters(index = "1", paramLabel = "FILE.csv", description = "The file to write.")
  private Path file;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "100k",
      description = "How many rows, such as 5000 or 100k (default: ${DEFAULT-VALUE}).")
  private int rows;

  @Mixin private SeedOption seed;

  @Mixin private OverwriteOption overwrite;

  @Override
  public Integer call() throws IOException {
    if (!kind.equals(TABLE)) {
      throw usage("no such example: " + kind + "; there is: " + TABLE);
    }
    requirePositive("--rows", rows);
    String name = file.toString();
    if (!name.endsWith(ENDING)) {
      throw usage("the file's name must end in " + ENDING + ", but is " + name);
    }
    Path odd = Path.of(name.substring(0, name.length() - ENDING.length()) + "-odd" + ENDING);
    overwrite.requireWritable(file);
    overwrite.requireWritable(odd);
    PlantedTable table = new PlantedTable(seed.value());
    PlantedTable.Rows sampled = table.sample(rows, seed.value());
    OutputOptions.writeText(file, out -> writeCells(table, sampled.rows(), out));
    int[] oddRows = IntStream.range(0, rows).filter(row -> sampled.odd()[row]).toArray();
    OutputOptions.writeText(odd, out -> writeNumbers(oddRows, out));
    PrintWriter screen = out();
    screen.printf(
        Locale.ROOT,
        "%s: %d rows of %d columns%n%s: the numbers of the %d odd rows, from 1%n"
            + "The exact entropy is %.6f nats per row: no model's can be below it on average.%n",
        file,
        rows,
        table.columns().size(),
        odd,
        oddRows.length,
        table.entropy());
    screen.flush();
    return CommandLine.ExitCode.OK;
  }

  /** Block by block: as text, a large table takes far more memory than as symbols. */
  private static void writeCells(PlantedTable table, int[][] rows, Writer out) throws IOException {
    var csv = new Csv(out, table.columns());
    for (int from = 0; from < rows.length; from += BLOCK_ROWS) {
      int to = Math.min(rows.length, from + BLOCK_ROWS);
      for (List<String> cells : PlantedTable.cells(Arrays.copyOfRange(rows, from, to))) {
        csv.row(cells);
      }
    }
    csv.flush();
  }

  private static void writeNumbers(int[] rows, Writer out) throws IOException {
    var csv = new Csv(out, List.of("row"));
    for (int row : rows) {
      csv.row(List.of(Integer.toString(row + 1)));
    }
    csv.flush();
  }
}
