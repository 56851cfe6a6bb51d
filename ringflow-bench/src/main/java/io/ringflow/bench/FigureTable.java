package io.ringflow.bench;

import io.ringflow.core.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table of Markdown that is filled row by row; the first column is words, the others figures. */
final class FigureTable {
  private final List<String> lines = new ArrayList<>();
  private final int columns;

  FigureTable(String... headings) {
    this.columns = headings.length;
    row(headings);
    lines.add("|---|" + "--:|".repeat(columns - 1));
  }

  /** Adds a row. */
  FigureTable row(String... cells) {
    if (cells.length != columns) {
      throw new IllegalArgumentException(
          "a row must have " + columns + " cells, but has " + cells.length);
    }
    lines.add("| " + String.join(" | ", cells) + " |");
    return this;
  }

  /** A figure, the same in every country. */
  static String figure(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** How much more one figure is than another, in percent. */
  static String above(double figure, double other) {
    return figure("%+.2f %%", 100 * (figure / other - 1));
  }

  /** The line below tables: what it takes to measure them again. */
  static String provenance(String seeds, double seconds) {
    return figure("%s; %s; %.0f s in all.", seeds, Machine.describe(), seconds);
  }

  /** The lines, each ended. */
  @Override
  public String toString() {
    return String.join("\n", lines) + "\n";
  }
}
