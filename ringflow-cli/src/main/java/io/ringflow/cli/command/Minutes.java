package io.ringflow.cli.command;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time in minutes, such as {@code 10} or {@code 0.5}. */
final class Minutes implements ITypeConverter<Duration> {
  /** Java would also take 1e3, 0x1p3 and 10f, which are slips here. */
  private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");

  private static final BigDecimal MILLIS = BigDecimal.valueOf(60_000);

  @Override
  public Duration convert(String text) {
    if (DECIMAL.matcher(text).matches()) {
      BigDecimal millis = new BigDecimal(text).multiply(MILLIS);
      Duration time = Duration.ofMillis(millis.setScale(0, RoundingMode.HALF_UP).longValueExact());
      if (!time.isZero()) {
        return time;
      }
    }
    throw new TypeConversionException("'" + text + "' is not a positive number of minutes");
  }
}
