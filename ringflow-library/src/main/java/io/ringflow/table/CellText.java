package io.ringflow.table;

/** What a cell or the name of a column may be: any text that can be written and read again. */
final class CellText {
  private static final int LONGEST_SHOWN = 40;

  private CellText() {}

  /**
   * Refuses what no file could give back.
   *
   * @param what names the text in the message
   */
  static String require(String what, String text) {
    if (text == null) {
      throw new IllegalArgumentException(what + " is null; a missing cell is the empty text");
    }
    if (text.length() > DataTable.LONGEST_CELL) {
      throw new IllegalArgumentException(
          what
              + " has "
              + text.length()
              + " characters, but may have at most "
              + DataTable.LONGEST_CELL);
    }
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(what + " holds a NUL character");
    }
    if (text.codePoints().anyMatch(CellText::isHalfACharacter)) {
      throw new IllegalArgumentException(what + " is not valid Unicode");
    }
    return text;
  }

  private static boolean isHalfACharacter(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }

  /** Refuses a name that is empty too. */
  static String requireName(String name) {
    if (require("the name of a column", name).isEmpty()) {
      throw new IllegalArgumentException("the name of a column is empty");
    }
    return name;
  }

  /** In quotes, and no longer than fits a message. */
  static String shown(String text) {
    if (text.length() <= LONGEST_SHOWN) {
      return "'" + text + "'";
    }
    int end = Character.isHighSurrogate(text.charAt(LONGEST_SHOWN - 1)) ? 1 : 0;
    return "'" + text.substring(0, LONGEST_SHOWN - end) + "…'";
  }
}
