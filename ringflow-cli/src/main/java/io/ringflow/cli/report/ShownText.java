package io.ringflow.cli.report;

/** Other people's texts, made fit for a terminal or a label: one line, and not too long. */
public final class ShownText {
  private ShownText() {}

  /**
   * Returns the text without control characters, which could steer the terminal, cut after so many
   * characters.
   */
  public static String of(String text, int max) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    if (line.codePointCount(0, line.length()) <= max) {
      return line;
    }
    return line.substring(0, line.offsetByCodePoints(0, max - 1)) + "…";
  }
}
