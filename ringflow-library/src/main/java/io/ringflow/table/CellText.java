package io.ringflow.table;

/** Checks cells and column names: any text that can be written to a file and read again. */
final class CellText {
  private CellText() {}

  /**
   * Returns a text, or refuses one that no file could give back.
   *
   * @param what names the text in the message
   */
  static String require(String what, String text) {
    if (text == null) {
      throw new IllegalArgumentException(what + " is null; a missing cell is the empty text");
    }
    if (text.length() > DataTable.MAX_CELL_LENGTH) {
      throw new IllegalArgumentException(
          String.format(
              "%s has %d characters, but may have at most %d",
              what, text.length(), DataTable.MAX_CELL_LENGTH));
    }
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(what + " holds a NUL character");
    }
    if (text.codePoints().anyMatch(CellText::isLoneSurrogate)) {
      throw new IllegalArgumentException(what + " is not valid Unicode");
    }
    return text;
  }

  private static boolean isLoneSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }

  /** Returns a column's name, or refuses one that is empty or no cell. */
  static String requireName(String name) {
    if (require("the name of a column", name).isEmpty()) {
      throw new IllegalArgumentException("the name of a column is empty");
    }
    return name;
  }
}
