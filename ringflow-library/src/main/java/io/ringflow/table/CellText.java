package io.ringflow.table;

/** What a cell or the name of a column may be: any text that can be written and read again. */
final class CellText {
  private static final int MAX_SHOWN_LENGTH = 40;

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
    if (text.length() > DataTable.MAX_CELL_LENGTH) {
      throw new IllegalArgumentException(
          what
              + " has "
              + text.length()
              + " characters, but may have at most "
              + DataTable.MAX_CELL_LENGTH);
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
    if (text.length() <= MAX_SHOWN_LENGTH) {
      return "'" + text + "'";
    }
    int end = Character.isHighSurrogate(text.charAt(MAX_SHOWN_LENGTH - 1)) ? 1 : 0;
    return "'" + text.substring(0, MAX_SHOWN_LENGTH - end) + "…'";
  }
}
