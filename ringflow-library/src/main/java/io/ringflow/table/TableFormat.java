package io.ringflow.table;

import io.ringflow.text.Vocabulary;

/**
 * How a file of separated cells is to be read.
 *
 * <p>What is not given is detected. The <b>separator</b> is the one of comma, tab, semicolon and
 * pipe that cuts each of the file's first lines into the same number of cells, two or more. If
 * several do, the one with the most cells is taken; if none does, the one with the most in the
 * first line.
 *
 * <p>The first line is a <b>header</b> if its cells differ from one another, none is a number, and
 * none occurs again in its column. One cell may be empty, because some tools write row numbers
 * without a name.
 *
 * @param separator between two cells; null to detect it
 * @param header whether the first line names the columns
 */
public record TableFormat(Character separator, Header header) {
  /** Whether the first line names the columns. */
  public enum Header {
    /** Detected by the rule of {@link TableFormat}. */
    AUTO,
    /** It does. */
    YES,
    /** It is a row; columns are named {@code column1}, {@code column2}, …. */
    NO
  }

  /** Separator and header are detected. */
  public static final TableFormat AUTO = new TableFormat(null, Header.AUTO);

  /** Checks the separator. */
  public TableFormat {
    if (separator != null) {
      requireSeparator(separator);
    }
    if (header == null) {
      throw new IllegalArgumentException("header must be AUTO, YES or NO, but is null");
    }
  }

  /** The same with this separator. */
  public TableFormat separatedBy(char separator) {
    return new TableFormat(separator, header);
  }

  /** The same with a header, without one, or with its detection. */
  public TableFormat withHeader(Header header) {
    return new TableFormat(separator, header);
  }

  /** Refuses a separator that could be part of a cell, a quote or the end of a line. */
  static char requireSeparator(char separator) {
    boolean control = Character.isISOControl(separator) && separator != '\t';
    if (control
        || Character.isLetterOrDigit(separator)
        || Character.isSurrogate(separator)
        || "\"#+-.\uFEFF".indexOf(separator) >= 0) {
      throw new IllegalArgumentException(
          "separator must be a blank or a sign such as , ; or |, but is "
              + Vocabulary.name(separator));
    }
    return separator;
  }
}
