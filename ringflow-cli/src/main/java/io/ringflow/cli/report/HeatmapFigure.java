package io.ringflow.cli.report;

import io.ringflow.paper.harness.Outcome;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Line2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/**
 * Draws a heatmap in the manner of the paper's Figure 2: dark to bright, {@code x} to the right,
 * {@code y} upwards.
 *
 * <p>The cells are one small picture of a pixel per cell, enlarged without smoothing. As 8,100
 * rectangles the same SVG would take a megabyte and show hairlines between them. Text in the SVG
 * takes the colour of its surroundings, so that it can be read on a dark page too.
 */
final class HeatmapFigure implements Figure {
  private static final int PLOT = 320;
  private static final int LEFT = 52;
  private static final int TOP = 34;
  private static final int RIGHT = 14;
  private static final int BOTTOM = 46;
  private static final int TICK = 4;
  private static final int FONT = 12;
  private static final int TITLE_FONT = 14;
  private static final int MAX_TICKS = 5;

  private final Outcome.Heatmap heatmap;
  private final int columns;
  private final int rows;
  private final double cell;

  HeatmapFigure(Outcome.Heatmap heatmap) {
    this.heatmap = heatmap;
    columns = heatmap.values().length;
    rows = heatmap.values()[0].length;
    cell = (double) PLOT / Math.max(columns, rows);
  }

  @Override
  public String name() {
    return heatmap.name();
  }

  @Override
  public String title() {
    return heatmap.title();
  }

  private double plotWidth() {
    return cell * columns;
  }

  private double plotHeight() {
    return cell * rows;
  }

  private int width() {
    return (int) Math.ceil(LEFT + plotWidth() + RIGHT);
  }

  private int height() {
    return (int) Math.ceil(TOP + plotHeight() + BOTTOM);
  }

  private double centreOfColumn(int x) {
    return LEFT + (x + 0.5) * cell;
  }

  private double centreOfRow(int y) {
    return TOP + plotHeight() - (y + 0.5) * cell;
  }

  /** Returns few round symbols to name along an axis of {@code n}. */
  private static List<Integer> ticks(int n) {
    int step = 1;
    int[] factors = {2, 5, 10};
    for (int decade = 1; (n + step - 1) / step > MAX_TICKS; decade *= 10) {
      for (int factor : factors) {
        step = decade * factor;
        if ((n + step - 1) / step <= MAX_TICKS) {
          break;
        }
      }
    }
    var ticks = new ArrayList<Integer>();
    for (int tick = 0; tick < n; tick += step) {
      ticks.add(tick);
    }
    return ticks;
  }

  /** Returns one pixel per cell, the top row first. */
  private BufferedImage pixels() {
    double highest = 0;
    for (double[] column : heatmap.values()) {
      for (double value : column) {
        highest = value > highest ? value : highest;
      }
    }
    var pixels = new BufferedImage(columns, rows, BufferedImage.TYPE_INT_RGB);
    for (int x = 0; x < columns; x++) {
      for (int y = 0; y < rows; y++) {
        double value = heatmap.values()[x][y];
        pixels.setRGB(x, rows - 1 - y, Viridis.rgb(highest > 0 ? value / highest : value));
      }
    }
    return pixels;
  }

  @Override
  public BufferedImage image() {
    var image = new BufferedImage(width() * SCALE, height() * SCALE, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = image.createGraphics();
    try {
      g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      g.setRenderingHint(
          RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      g.setRenderingHint(
          RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_NEAREST_NEIGHBOR);
      g.scale(SCALE, SCALE);
      g.setColor(Color.WHITE);
      g.fillRect(0, 0, width(), height());
      g.drawImage(
          pixels(), LEFT, TOP, (int) Math.round(plotWidth()), (int) Math.round(plotHeight()), null);
      g.setColor(new Color(0x222222));
      drawTexts(g);
    } finally {
      g.dispose();
    }
    return image;
  }

  private void drawTexts(Graphics2D g) {
    double centre = LEFT + plotWidth() / 2;
    double middle = TOP + plotHeight() / 2;
    g.setFont(new Font(Font.SANS_SERIF, Font.BOLD, TITLE_FONT));
    drawCentred(g, title(), centre, TOP - 12);
    g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, FONT));
    FontMetrics metrics = g.getFontMetrics();
    double bottom = TOP + plotHeight();
    for (int tick : ticks(columns)) {
      double x = centreOfColumn(tick);
      g.draw(new Line2D.Double(x, bottom, x, bottom + TICK));
      drawCentred(g, Integer.toString(tick), x, bottom + TICK + FONT);
    }
    for (int tick : ticks(rows)) {
      double y = centreOfRow(tick);
      g.draw(new Line2D.Double(LEFT - TICK, y, LEFT, y));
      String text = Integer.toString(tick);
      g.drawString(
          text, (float) (LEFT - TICK - 3 - metrics.stringWidth(text)), (float) (y + FONT * 0.35));
    }
    drawCentred(g, heatmap.xLabel(), centre, height() - 10);
    g.rotate(-Math.PI / 2, 14, middle);
    drawCentred(g, heatmap.yLabel(), 14, middle);
  }

  private static void drawCentred(Graphics2D g, String text, double x, double y) {
    g.drawString(text, (float) (x - g.getFontMetrics().stringWidth(text) / 2.0), (float) y);
  }

  @Override
  public String svg() {
    double centre = LEFT + plotWidth() / 2;
    double middle = TOP + plotHeight() / 2;
    double bottom = TOP + plotHeight();
    var svg = new StringBuilder();
    add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
            + " role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"%d\""
            + " fill=\"currentColor\" text-anchor=\"middle\">",
        width(),
        height(),
        width(),
        height(),
        FONT);
    add(svg, "<title>%s</title>", Markup.escape(title()));
    text(svg, centre, TOP - 12, " font-size=\"" + TITLE_FONT + "\" font-weight=\"600\"", title());
    add(
        svg,
        "<image x=\"%d\" y=\"%d\" width=\"%.2f\" height=\"%.2f\" preserveAspectRatio=\"none\""
            + " style=\"image-rendering:pixelated\" href=\"data:image/png;base64,%s\"/>",
        LEFT,
        TOP,
        plotWidth(),
        plotHeight(),
        base64(pixels()));
    for (int tick : ticks(columns)) {
      double x = centreOfColumn(tick);
      add(svg, "<path stroke=\"currentColor\" d=\"M%.2f %.2fv%d\"/>", x, bottom, TICK);
      text(svg, x, bottom + TICK + FONT, "", Integer.toString(tick));
    }
    for (int tick : ticks(rows)) {
      double y = centreOfRow(tick);
      add(svg, "<path stroke=\"currentColor\" d=\"M%d %.2fh%d\"/>", LEFT - TICK, y, TICK);
      text(svg, LEFT - TICK - 3, y + FONT * 0.35, " text-anchor=\"end\"", Integer.toString(tick));
    }
    text(svg, centre, height() - 10, "", heatmap.xLabel());
    String rotated = String.format(Locale.ROOT, " transform=\"rotate(-90 14 %.2f)\"", middle);
    text(svg, 14, middle, rotated, heatmap.yLabel());
    return svg.append("</svg>\n").toString();
  }

  private static void text(
      StringBuilder svg, double x, double y, String attributes, String content) {
    add(svg, "<text x=\"%.2f\" y=\"%.2f\"%s>%s</text>", x, y, attributes, Markup.escape(content));
  }

  private static void add(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String base64(BufferedImage image) {
    var bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "png", bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never, in memory
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }
}
