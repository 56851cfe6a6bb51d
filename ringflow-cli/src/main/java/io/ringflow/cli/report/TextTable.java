package io.ringflow.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table whose cells are text, for terminals and Markdown pages.
 *
 * @param columns their headings
 * @param rows as many cells as columns each
 */
public record TextTable(List<Column> columns, List<List<String>> rows) {
  /** What an empty cell shows. */
  public static final String NONE = "-";

  private static final String GAP = "  ";

  public TextTable {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  /**
   * One column.
   *
   * @param heading above it
   * @param numeric whether to align it on the right
   */
  public record Column(String heading, boolean numeric) {
    /** A column of text, aligned on the left. */
    public static Column text(String heading) {
      return new Column(heading, false);
    }

    /** A column of numbers, aligned on the right. */
    public static Column number(String heading) {
      return new Column(heading, true);
    }
  }

  /** The headings of all columns. */
  public List<String> headings() {
    return columns.stream().map(Column::heading).toList();
  }

  /** This table, without columns that say nothing in any row. */
  TextTable withoutEmptyColumns() {
    List<Integer> kept =
        IntStream.range(0, columns.size())
            .filter(column -> rows.stream().anyMatch(row -> !row.get(column).isEmpty()))
            .boxed()
            .toList();
    return new TextTable(
        kept.stream().map(columns::get).toList(),
        rows.stream().map(row -> kept.stream().map(row::get).toList()).toList());
  }

  /** Returns the table's lines for a terminal, each ended, in plain ASCII where its cells are. */
  public String console() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(headings());
    for (List<String> row : rows) {
      lines.add(row.stream().map(cell -> cell.replace("±", "+/-")).toList());
    }
    int[] widths = new int[columns.size()];
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
        laidOut.append(columns.get(column).numeric() ? blank + cell : cell + blank);
      }
      text.append(laidOut.toString().stripTrailing()).append(System.lineSeparator());
    }
    return text.toString();
  }

  /** Returns the table's lines for a Markdown page, each ended. */
  public String markdown() {
    String rules =
        columns.stream()
            .map(column -> column.numeric() ? "--:" : "---")
            .collect(Collectors.joining("|", "|", "|\n"));
    return Stream.concat(Stream.of(headings()), rows.stream())
        .map(cells -> "| " + String.join(" | ", cells) + " |\n")
        .collect(Collectors.joining())
        .replaceFirst("\n", "\n" + rules);
  }
}
