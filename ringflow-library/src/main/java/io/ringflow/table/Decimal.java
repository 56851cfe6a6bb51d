package io.ringflow.table;

import java.math.BigDecimal;

/**
 * Parses the numbers in cells, such as {@code 42}, {@code -0.5}, {@code 1.5e-7}; blanks around them
 * are ignored.
 *
 * <p>These are no numbers: {@code 007}, a code that would lose its zeros; {@code 1,5} and {@code
 * 1,000}, which mean different things to different people; and what is infinite or 0 as a {@code
 * double}, but not in the cell.
 */
final class Decimal {
  /** Longer texts of digits are codes, and arithmetic with them would be slow. */
  private static final int MAX_LENGTH = 64;

  private static final int MAX_EXPONENT_LENGTH = 3;

  /** The digits of the longest text, and the smallest exponent. */
  static final int MAX_DECIMALS = MAX_LENGTH + 999;

  private Decimal() {}

  /** The exact value, with the scale as written; null if the text is no number. */
  static BigDecimal parse(String text) {
    if (text.length() > MAX_LENGTH) {
      return null;
    }
    String number = text.strip();
    if (!isNumber(number)) {
      return null;
    }
    BigDecimal value = new BigDecimal(number);
    double near = value.doubleValue();
    boolean lost = Double.isInfinite(near) || (near == 0 && value.signum() != 0);
    return lost ? null : value;
  }

  /** Without a regular expression, which would take most of the time of reading numbers. */
  private static boolean isNumber(String text) {
    int start = !text.isEmpty() && "+-".indexOf(text.charAt(0)) >= 0 ? 1 : 0;
    int point = skipDigits(text, start);
    int end = point;
    if (point < text.length() && text.charAt(point) == '.') {
      end = skipDigits(text, point + 1);
    }
    boolean digits = point > start || end > point + 1;
    boolean code = point > start + 1 && text.charAt(start) == '0';
    return digits && !code && (end == text.length() || isExponent(text.substring(end)));
  }

  /** Such as {@code e5}, {@code E-07}. */
  private static boolean isExponent(String text) {
    if (text.length() < 2 || "eE".indexOf(text.charAt(0)) < 0) {
      return false;
    }
    int start = "+-".indexOf(text.charAt(1)) >= 0 ? 2 : 1;
    int digits = text.length() - start;
    return digits >= 1 && digits <= MAX_EXPONENT_LENGTH && skipDigits(text, start) == text.length();
  }

  private static int skipDigits(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }

  /** The number of digits behind the point. */
  static int decimals(BigDecimal value) {
    return Math.max(0, value.scale());
  }
}
