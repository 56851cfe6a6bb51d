package io.ringflow.table;

import java.util.Locale;

/**
 * What became of a column, for people.
 *
 * @param name of the column
 * @param kind what its symbols are
 * @param cardinality how many symbols there are
 * @param range the first and last number; empty for categories
 * @param missingShare of the training rows, 0 to 1
 * @param rareValues how many values share the symbol of the rare
 * @param rareShare of the training rows, 0 to 1
 */
public record ColumnSummary(
    String name,
    Kind kind,
    int cardinality,
    String range,
    double missingShare,
    int rareValues,
    double rareShare) {
  /** What the symbols of a column are. */
  public enum Kind {
    /** Values. */
    CATEGORIES,
    /** Bins of numbers. */
    BINS
  }

  static ColumnSummary of(TableColumn column) {
    double rows = column.rows();
    double missing = column.missing().total() / rows;
    if (column instanceof TableColumn.Bins numbers) {
      var first = numbers.bins().get(0);
      var last = numbers.bins().get(numbers.bins().size() - 1);
      String range = new TableColumn.Bin(first.least(), last.greatest(), 1).toString();
      return new ColumnSummary(
          column.name(), Kind.BINS, column.cardinality(), range, missing, 0, 0);
    }
    ValueCounts rare = ((TableColumn.Categories) column).rare();
    return new ColumnSummary(
        column.name(),
        Kind.CATEGORIES,
        column.cardinality(),
        "",
        missing,
        rare.size(),
        rare.total() / rows);
  }

  /** Such as {@code age: 33 symbols, numbers 17 to 90 in bins, 1.2% missing}. */
  @Override
  public String toString() {
    var text = new StringBuilder(name);
    text.append(": ").append(cardinality).append(cardinality == 1 ? " symbol" : " symbols");
    text.append(kind == Kind.BINS ? ", numbers " + range + " in bins" : ", categories");
    if (rareValues > 0) {
      text.append(", ").append(rareValues).append(" rare values in ").append(percent(rareShare));
      text.append(" of the rows");
    }
    if (missingShare > 0) {
      text.append(", ").append(percent(missingShare)).append(" missing");
    }
    return text.toString();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f%%", 100 * share);
  }
}
