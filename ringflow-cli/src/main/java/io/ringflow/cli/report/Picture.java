package io.ringflow.cli.report;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import io.ringflow.paper.harness.Outcome;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.style.AxesChartStyler;

/** A chart of a run, drawn with XChart: as pixels for slides, as SVG for the report. */
public abstract sealed class Picture permits HeatmapPicture, LineChartPicture {
  /** How many pixels of {@link #image()} one unit of {@link #svg()} gets. */
  private static final int SCALE = 2;

  static final Color INK = new Color(0x222222);

  private final String name;
  private final String title;

  Picture(String name, String title) {
    this.name = name;
    this.title = title;
  }

  /** Returns the pictures of an outcome, heatmaps first. */
  public static List<Picture> of(Outcome outcome) {
    List<Picture> pictures = new ArrayList<>();
    outcome.heatmaps().forEach(heatmap -> pictures.add(new HeatmapPicture(heatmap)));
    outcome.charts().forEach(chart -> pictures.add(new LineChartPicture(chart)));
    return pictures;
  }

  /** Its file name without ending. */
  final String name() {
    return name;
  }

  /** What it shows, in a line. */
  final String title() {
    return title;
  }

  /** Width and height in the units of {@link #svg()}. */
  abstract Dimension size();

  /** Draws all of it, background included. */
  abstract void paint(Graphics2D g);

  /** Draws it as pixels, on white. */
  final BufferedImage image() {
    Dimension size = size();
    var image =
        new BufferedImage(size.width * SCALE, size.height * SCALE, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = image.createGraphics();
    try {
      g.scale(SCALE, SCALE);
      // Otherwise points snap to whole pixels and smooth curves come out jagged.
      g.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
      paint(g);
    } finally {
      g.dispose();
    }
    return image;
  }

  /** Draws it as an SVG document that refers to no other file. */
  final String svg() {
    Dimension size = size();
    var g = new VectorGraphics2D();
    paint(g);
    var bytes = new ByteArrayOutputStream();
    try {
      new SVGProcessor()
          .getDocument(g.getCommands(), new PageSize(size.width, size.height))
          .writeTo(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never, in memory
    }
    // The DTD is an address on the network; a hundredth of a unit is far below a pixel.
    return bytes
        .toString(StandardCharsets.UTF_8)
        .replaceFirst("<!DOCTYPE[^>]*>\\s*", "")
        .replaceAll("(\\d\\.\\d\\d)\\d+", "$1")
        .replace("<image ", "<image style=\"image-rendering:pixelated\" ");
  }

  /** Thin axes and a quiet grid on white. */
  static void style(AxesChartStyler style) {
    var plain = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
    style
        .setLocale(Locale.ROOT)
        .setChartBackgroundColor(Color.WHITE)
        .setPlotBackgroundColor(Color.WHITE)
        .setPlotBorderVisible(false)
        .setChartFontColor(INK)
        .setChartTitleBoxVisible(false)
        .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 14))
        .setLegendFont(plain)
        .setChartPadding(10);
    style
        .setAxisTitleFont(plain)
        .setAxisTickLabelsFont(plain)
        .setAxisTickLabelsColor(INK)
        .setAxisTickMarksColor(INK)
        .setPlotGridLinesColor(new Color(0xe4e4e4))
        .setPlotGridLinesStroke(new BasicStroke(1f))
        .setPlotGridVerticalLinesVisible(false)
        .setPlotMargin(0)
        .setXAxisDecimalPattern("0.###")
        .setYAxisDecimalPattern("0.###");
  }
}
