package io.ringflow.table;

import io.ringflow.text.Vocabulary;

/**
 * How a file of separated cells is to be read.
 *
 * <p>What is left open is found out. The <b>separator</b> is the one of comma, tab, semicolon and
 * pipe that cuts each of the file's first lines into the same number of cells, two or more; of
 * several the one that makes most cells, and of none the one that makes most in the first line.
 *
 * <p>The first line is a <b>header</b> if its cells differ from one another, none is a number, and
 * none occurs again in its own column. A single one may be empty, as some tools leave the name of
 * their row numbers.
 *
 * @param separator between two cells; null to find it out
 * @param header whether the first line names the columns
 */
public record TableFormat(Character separator, Header header) {
  /** Whether the first line names the columns. */
  public enum Header {
    /** By the rule of {@link TableFormat}. */
    AUTO,
    /** It does. */
    YES,
    /** It is a row like the others; columns are named {@code column1}, {@code column2}, …. */
    NO
  }

  /** Everything is found out. */
  public static final TableFormat AUTO = new TableFormat(null, Header.AUTO);

  /** Checks the separator. */
  public TableFormat {
    if (separator != null) {
      requireSeparator(separator);
    }
    if (header == null) {
      throw new IllegalArgumentException("header must be one of three, but is null");
    }
  }

  /** The same with this separator. */
  public TableFormat separatedBy(char separator) {
    return new TableFormat(separator, header);
  }

  /** The same with or without a header, or with the question open. */
  public TableFormat withHeader(Header header) {
    return new TableFormat(separator, header);
  }

  /** Refuses what would be taken for something else: a cell's text, a quote, the end of a line. */
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
