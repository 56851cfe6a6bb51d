package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class DecimalTest {
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?((0|[1-9][0-9]*)(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?");

  @Test
  void onlyPlainDecimalsAreNumbers() {
    for (String number :
        List.of("0", "-0", "7", "+7", " 7 ", "0.50", ".5", "5.", "1e5", "1.5E-7", "1e-323")) {
      assertThat(Decimal.parse(number)).as(number).isEqualByComparingTo(number.strip());
    }
    for (String other :
        List.of(
            "",
            " ",
            "-",
            ".",
            "e5",
            "007",
            "1,5",
            "1 000",
            "0x10",
            "1d",
            "NaN",
            "Infinity",
            "1e400",
            "1e-400",
            "--1",
            "1e",
            "1e5.0",
            "٣",
            "1".repeat(65))) {
      assertThat(Decimal.parse(other)).as(other).isNull();
    }
  }

  /** All texts of up to seven of these characters. */
  @Test
  void everyShortTextIsANumberOrNone() {
    String characters = "+-.01e";
    int numbers = 0;
    for (int length = 0; length <= 7; length++) {
      int texts = (int) Math.pow(characters.length(), length);
      for (int i = 0; i < texts; i++) {
        var text = new StringBuilder();
        for (int rest = i, n = 0; n < length; n++, rest /= characters.length()) {
          text.append(characters.charAt(rest % characters.length()));
        }
        String number = text.toString();
        String expected = NUMBER.matcher(number).matches() ? kept(new BigDecimal(number)) : "null";
        String parsed = String.valueOf(Decimal.parse(number));
        if (!parsed.equals(expected)) {
          assertThat(parsed).as(number).isEqualTo(expected);
        }
        numbers += expected.equals("null") ? 0 : 1;
      }
    }
    assertThat(numbers).as("both sides occur").isPositive();
  }

  /** Value and scale; null for what a double would make infinite, or zero. */
  private static String kept(BigDecimal value) {
    double near = Double.parseDouble(value.toString());
    boolean zero = value.signum() == 0;
    return Double.isFinite(near) && (near == 0) == zero ? value.toString() : "null";
  }
}
