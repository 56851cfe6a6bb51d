package io.ringflow.bench;

import io.ringflow.core.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table of Markdown that is filled row by row; the first column is words, the others values. */
final class ValueTable {
  private final List<String> lines = new ArrayList<>();
  private final int columns;

  ValueTable(String... headings) {
    this.columns = headings.length;
    row(headings);
    lines.add("|---|" + "--:|".repeat(columns - 1));
  }

  /** Adds a row. */
  ValueTable row(String... cells) {
    if (cells.length != columns) {
      throw new IllegalArgumentException(
          "a row must have " + columns + " cells, but has " + cells.length);
    }
    lines.add("| " + String.join(" | ", cells) + " |");
    return this;
  }

  /** A value as text, the same in every country. */
  static String value(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** How much more one value is than another, in percent. */
  static String above(double measured, double other) {
    return value("%+.2f %%", 100 * (measured / other - 1));
  }

  /** The line below tables: what it takes to measure them again. */
  static String provenance(String seeds, double seconds) {
    return value("%s; %s; %.0f s in all.", seeds, Machine.describe(), seconds);
  }

  /** The lines, each ended. */
  @Override
  public String toString() {
    return String.join("\n", lines) + "\n";
  }
}
