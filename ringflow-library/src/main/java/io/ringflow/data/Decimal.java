package io.ringflow.data;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * What counts as a number in a cell: {@code 42}, {@code -0.5}, {@code 1.5e-7}; blanks around it do
 * not matter.
 *
 * <p>No number are {@code 007}, which is a code that would lose its zeros, {@code 1,5} and {@code
 * 1,000}, which mean different things to different people, and what a {@code double} could not hold
 * as a finite value.
 */
final class Decimal {
  /** Longer rows of digits are codes; and arithmetic with them would be slow. */
  private static final int LONGEST = 64;

  /** No number has more: all the digits that fit, and the deepest exponent. */
  static final int MOST_DECIMALS = LONGEST + 999;

  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(0|[1-9][0-9]*)?(\\.[0-9]*)?([eE][+-]?[0-9]{1,3})?");

  private Decimal() {}

  /** The exact value, its scale as it was written; null if the text is no number. */
  static BigDecimal parse(String text) {
    if (text.length() > LONGEST) {
      return null;
    }
    String number = text.strip();
    if (!NUMBER.matcher(number).matches()) {
      return null;
    }
    BigDecimal value;
    try {
      value = new BigDecimal(number);
    } catch (NumberFormatException e) {
      return null; // the pattern is a little generous: a sign or a point without digits
    }
    double near = value.doubleValue();
    boolean lost = Double.isInfinite(near) || (near == 0 && value.signum() != 0);
    return lost ? null : value;
  }

  /** How many digits stand behind the point. */
  static int decimals(BigDecimal value) {
    return Math.max(0, value.scale());
  }
}
