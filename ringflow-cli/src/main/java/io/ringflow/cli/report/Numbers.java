package io.ringflow.cli.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/** Writes numbers the way tables and progress lines show them, the same in every locale. */
public final class Numbers {
  /** The precision of the paper's tables. */
  private static final int DECIMALS = 3;

  /** Times differ by orders of magnitude, so that fixed decimals would show too much or nothing. */
  private static final Set<String> TIMES = Set.of("ns", "µs", "us", "ms", "s");

  private static final Set<String> COUNTS = Set.of("symbols", "passes", "modes", "weights");

  private static final int MAX_DECIMALS = 6;

  private Numbers() {}

  /** Three decimals. */
  public static String fixed(double value) {
    return fixed(value, DECIMALS);
  }

  /** So many decimals. */
  public static String fixed(double value, int decimals) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /**
   * How many decimals a number has: of a time, those that show three digits; of a whole count none;
   * else three.
   */
  static int decimals(double value, String unit) {
    if (COUNTS.contains(unit) && value == Math.rint(value)) {
      return 0;
    }
    if (!TIMES.contains(unit) || value == 0 || !Double.isFinite(value)) {
      return DECIMALS;
    }
    int magnitude = (int) Math.floor(Math.log10(Math.abs(value)));
    return Math.max(0, Math.min(MAX_DECIMALS, DECIMALS - 1 - magnitude));
  }

  /** A count with few digits, such as {@code 950}, {@code 12.3k} or {@code 1.2M}. */
  public static String count(double value) {
    if (value >= 999_950) {
      return String.format(Locale.ROOT, "%.1fM", value / 1e6);
    }
    return value >= 999.5
        ? String.format(Locale.ROOT, "%.1fk", value / 1e3)
        : String.format(Locale.ROOT, "%.0f", value);
  }

  /** A duration such as {@code 4.2 s}, {@code 3 min 20 s} or {@code 2 h 5 min}. */
  public static String time(double seconds) {
    if (seconds < 59.95) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    long whole = Math.round(seconds);
    return whole < 3600
        ? whole / 60 + " min " + whole % 60 + " s"
        : whole / 3600 + " h " + whole % 3600 / 60 + " min";
  }

  /** The number of minutes in a duration, such as {@code 10} or {@code 0.5}. */
  public static String minutes(Duration time) {
    return BigDecimal.valueOf(time.toMillis())
        .divide(BigDecimal.valueOf(60_000), new MathContext(9))
        .stripTrailingZeros()
        .toPlainString();
  }
}
