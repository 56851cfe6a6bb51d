package io.ringflow.cli.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a whole number; {@code k} and {@code M} behind it stand for a thousand and a million. */
final class WholeNumber implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    int digits = text.length() - 1;
    long unit =
        switch (text.isEmpty() ? ' ' : text.charAt(digits)) {
          case 'k' -> 1_000;
          case 'M' -> 1_000_000;
          default -> 1;
        };
    try {
      return Math.multiplyExact(Long.parseLong(unit == 1 ? text : text.substring(0, digits)), unit);
    } catch (NumberFormatException | ArithmeticException e) {
      throw new TypeConversionException("'" + text + "' is not a whole number");
    }
  }

  /** One that is no larger than an {@code int}. */
  public static Integer integer(String text) {
    long value = new WholeNumber().convert(text);
    if (value != (int) value) {
      throw new TypeConversionException("'" + text + "' is too large");
    }
    return (int) value;
  }
}
