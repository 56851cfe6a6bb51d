package io.ringflow.cli.report;

import java.util.Base64;
import java.util.Locale;

/**
 * Builds a picture that stands in a page: it takes the page's fonts and colours, by the names of
 * style classes. Texts are escaped. Unlike a {@link Picture}, it needs no fonts of Java's.
 */
final class Svg {
  private final StringBuilder markup = new StringBuilder();

  /**
   * An empty picture, as wide as the page lets it be.
   *
   * @param title for those who can't see it
   */
  Svg(double width, double height, String title) {
    markup
        .append("<svg viewBox=\"0 0 ")
        .append(number(width))
        .append(' ')
        .append(number(height))
        .append("\" role=\"img\" aria-label=\"")
        .append(Markup.escape(title))
        .append("\">\n");
  }

  /** A filled rectangle. */
  Svg bar(String cssClass, double x, double y, double width, double height) {
    return bar(cssClass, 1, x, y, width, height, "");
  }

  /**
   * A filled rectangle.
   *
   * @param opacity 0 to 1
   * @param tip what a pointer over it shows; empty for nothing
   */
  Svg bar(
      String cssClass,
      double opacity,
      double x,
      double y,
      double width,
      double height,
      String tip) {
    markup.append("<rect class=\"").append(cssClass).append('"');
    attribute("x", x);
    attribute("y", y);
    attribute("width", Math.max(0, width));
    attribute("height", Math.max(0, height));
    if (opacity < 1) {
      attribute("fill-opacity", opacity);
    }
    if (tip.isEmpty()) {
      markup.append("/>\n");
    } else {
      markup.append("><title>").append(Markup.escape(tip)).append("</title></rect>\n");
    }
    return this;
  }

  Svg line(String cssClass, double fromX, double fromY, double toX, double toY) {
    markup.append("<line class=\"").append(cssClass).append('"');
    attribute("x1", fromX);
    attribute("y1", fromY);
    attribute("x2", toX);
    attribute("y2", toY);
    markup.append("/>\n");
    return this;
  }

  /** A line through points, {@code x, y, x, y, …}. */
  Svg path(String cssClass, double... points) {
    markup.append("<polyline class=\"").append(cssClass).append("\" points=\"");
    for (double point : points) {
      markup.append(number(point)).append(' ');
    }
    markup.append("\"/>\n");
    return this;
  }

  /**
   * A line of text.
   *
   * @param cssClass {@code end} and {@code middle} say where the point is, if not at its start
   */
  Svg text(String cssClass, double x, double y, String text) {
    markup.append("<text class=\"").append(cssClass).append('"');
    attribute("x", x);
    attribute("y", y);
    markup.append('>').append(Markup.escape(text)).append("</text>\n");
    return this;
  }

  /** An image of few pixels, enlarged without smoothing. */
  Svg pixels(byte[] png, double x, double y, double width, double height) {
    markup
        .append("<image preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\"")
        .append(" href=\"data:image/png;base64,")
        .append(Base64.getEncoder().encodeToString(png))
        .append('"');
    attribute("x", x);
    attribute("y", y);
    attribute("width", width);
    attribute("height", height);
    markup.append("/>\n");
    return this;
  }

  String markup() {
    return markup + "</svg>";
  }

  private void attribute(String name, double value) {
    markup.append(' ').append(name).append("=\"").append(number(value)).append('"');
  }

  /** A hundredth of a unit is far below a pixel. */
  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.2f", value);
    return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
  }
}
