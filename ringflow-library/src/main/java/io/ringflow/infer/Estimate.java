package io.ringflow.infer;

import java.util.Locale;

/**
 * A number that was estimated from samples.
 *
 * @param value the estimate
 * @param standardError how far off it is expected to be; not a number where nobody can say
 */
public record Estimate(double value, double standardError) {
  private static final int MAX_DIGITS = 12;

  /** Such as {@code 12.5126 +- 0.0012}: to the second digit of the error. */
  @Override
  public String toString() {
    if (!(standardError > 0 && Double.isFinite(standardError)) || !Double.isFinite(value)) {
      return value + " +- " + standardError;
    }
    long wanted = 1 - (long) Math.floor(Math.log10(standardError));
    String number = "%." + Math.max(0, Math.min(MAX_DIGITS, wanted)) + "f";
    return String.format(Locale.ROOT, number + " +- " + number, value, standardError);
  }
}
