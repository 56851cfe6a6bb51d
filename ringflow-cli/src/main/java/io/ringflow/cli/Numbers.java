package io.ringflow.cli;

import java.util.Locale;

/** Writes numbers the way tables and progress lines show them, the same in every locale. */
final class Numbers {
  private Numbers() {}

  /** Three decimals, the precision of the paper's tables. */
  static String figure(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  /** A count with few digits, such as {@code 950}, {@code 12.3k} or {@code 1.2M}. */
  static String count(double value) {
    if (value >= 999_950) {
      return String.format(Locale.ROOT, "%.1fM", value / 1e6);
    }
    return value >= 999.5
        ? String.format(Locale.ROOT, "%.1fk", value / 1e3)
        : String.format(Locale.ROOT, "%.0f", value);
  }

  /** A duration such as {@code 4.2 s}, {@code 3 min 20 s} or {@code 2 h 5 min}. */
  static String time(double seconds) {
    if (seconds < 59.95) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    long whole = Math.round(seconds);
    return whole < 3600
        ? whole / 60 + " min " + whole % 60 + " s"
        : whole / 3600 + " h " + whole % 3600 / 60 + " min";
  }
}
