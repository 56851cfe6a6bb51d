package io.ringflow.cli.command;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.ringflow.cli.report.TextTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;

/** Comma-separated values, row by row, with quotes where they are needed. */
final class Csv {
  private final CsvWriter rows;

  /** Writes the header; the writer is borrowed. */
  Csv(Writer out, List<String> header) throws IOException {
    this.rows = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(out);
    row(header);
  }

  /** Writes a whole table. */
  static void write(TextTable table, Writer out) throws IOException {
    var csv = new Csv(out, table.columns().stream().map(TextTable.Column::heading).toList());
    for (List<String> row : table.rows()) {
      csv.row(row);
    }
    csv.flush();
  }

  void row(List<String> cells) throws IOException {
    try {
      rows.writeRecord(cells);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  void flush() throws IOException {
    rows.flush();
  }
}
