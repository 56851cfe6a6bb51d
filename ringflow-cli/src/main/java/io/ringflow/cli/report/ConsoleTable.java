package io.ringflow.cli.report;

import java.util.ArrayList;
import java.util.List;

/** Lays a {@link ResultTable} out for a terminal, in plain ASCII where its cells are. */
public final class ConsoleTable {
  private static final String GAP = "  ";

  private ConsoleTable() {}

  /** Returns the table's lines, each ended. */
  public static String text(ResultTable table) {
    var lines = new ArrayList<List<String>>();
    lines.add(table.columns().stream().map(ResultTable.Column::heading).toList());
    for (List<String> row : table.rows()) {
      lines.add(row.stream().map(cell -> cell.replace("±", "+/-")).toList());
    }
    int[] widths = new int[table.columns().size()];
    for (List<String> line : lines) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], line.get(column).length());
      }
    }
    List<String> rules = new ArrayList<>();
    for (int width : widths) {
      rules.add("-".repeat(width));
    }
    lines.add(1, rules);

    var text = new StringBuilder();
    for (List<String> line : lines) {
      var laidOut = new StringBuilder();
      for (int column = 0; column < widths.length; column++) {
        String cell = line.get(column);
        String blank = " ".repeat(widths[column] - cell.length());
        laidOut.append(column == 0 ? "" : GAP);
        laidOut.append(table.columns().get(column).numeric() ? blank + cell : cell + blank);
      }
      text.append(laidOut.toString().stripTrailing()).append(System.lineSeparator());
    }
    return text.toString();
  }
}
