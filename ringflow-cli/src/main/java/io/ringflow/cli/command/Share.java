package io.ringflow.cli.command;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A share of something, such as {@code 1%}, {@code 0.5 %} or {@code 0.01}.
 *
 * @param value 0 or above
 */
record Share(double value) {
  /** Reads a share. */
  static final class Converter implements ITypeConverter<Share> {
    private static final Pattern SHARE = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?) ?(%?)");

    @Override
    public Share convert(String text) {
      var found = SHARE.matcher(text.strip());
      if (!found.matches()) {
        throw new TypeConversionException("'" + text + "' is not a share, such as 1% or 0.01");
      }
      double number = Double.parseDouble(found.group(1));
      return new Share(found.group(2).isEmpty() ? number : number / 100);
    }
  }
}
