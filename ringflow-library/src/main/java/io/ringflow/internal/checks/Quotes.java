package io.ringflow.internal.checks;

/** Texts of users and files as messages show them. */
public final class Quotes {
  private static final int MAX_LENGTH = 40;

  private Quotes() {}

  /** A text in quotes for a message, cut to 40 characters. */
  public static String quoted(String text) {
    if (text.length() <= MAX_LENGTH) {
      return "'" + text + "'";
    }
    int end = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1)) ? 1 : 0;
    return "'" + text.substring(0, MAX_LENGTH - end) + "…'";
  }
}
