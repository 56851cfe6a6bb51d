package io.ringflow.cli.report;

/** Makes text safe to stand in HTML and SVG. */
final class Markup {
  private Markup() {}

  /** Returns the text with the characters that mean something in markup replaced. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
