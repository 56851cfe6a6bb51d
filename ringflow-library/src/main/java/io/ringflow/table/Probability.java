package io.ringflow.table;

import java.util.Locale;

/**
 * How likely something is under a model.
 *
 * @param value from 0 to 1
 * @param standardError how far off the value is expected to be; 0 where it is exact
 * @param samples from how many samples it was estimated; 0 where it is exact
 */
public record Probability(double value, double standardError, int samples) {
  static final Probability ZERO = exactly(0);

  static Probability exactly(double value) {
    return new Probability(value, 0, 0);
  }

  /** Whether it was summed up, not estimated; up to rounding, about 1e-12. */
  public boolean exact() {
    return samples == 0;
  }

  /** Such as {@code 0.0123 +- 0.0004} or {@code 0.25 exactly}: four significant digits. */
  @Override
  public String toString() {
    return exact()
        ? digits(value) + " exactly"
        : digits(value) + " +- " + String.format(Locale.ROOT, "%.2g", standardError);
  }

  private static String digits(double value) {
    return value == 0 ? "0" : String.format(Locale.ROOT, "%.4g", value);
  }
}
