package io.ringflow.cli.report;

import io.ringflow.paper.harness.Outcome;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A heatmap in the manner of the paper's Figure 2: dark to bright, {@code x} to the right, {@code
 * y} upwards, every cell a square.
 *
 * <p>The axes are those of an empty XChart plot; the cells are one small image of a pixel per cell,
 * enlarged without smoothing. XChart's own heatmap draws a rectangle per cell: of 8,100 cells the
 * SVG takes a megabyte, and both SVG and PNG show hairlines between them.
 */
final class HeatmapPicture extends Picture {
  private static final int PLOT = 320;
  private static final int TICKS_APART = 64;

  /** What titles, ticks and padding take beside the plot, about; the rest is measured. */
  private static final int MARGIN = 66;

  private final Outcome.Heatmap heatmap;
  private final int columns;
  private final int rows;
  private final double cell; // its side

  HeatmapPicture(Outcome.Heatmap heatmap) {
    super(heatmap.name(), heatmap.title());
    this.heatmap = heatmap;
    columns = heatmap.values().length;
    rows = heatmap.values()[0].length;
    cell = (double) PLOT / Math.max(columns, rows);
  }

  private XYChart axes() {
    XYChart axes =
        new XYChartBuilder()
            .title(heatmap.title())
            .xAxisTitle(heatmap.xLabel())
            .yAxisTitle(heatmap.yLabel())
            .build();
    style(axes.getStyler());
    int apart = Math.max(TICKS_APART, (int) Math.ceil(cell));
    axes.getStyler().setLegendVisible(false).setPlotContentSize(1).setChartTitlePadding(10);
    axes.getStyler()
        .setPlotGridLinesVisible(false)
        .setAxisTicksLineVisible(false)
        .setXAxisTickMarkSpacingHint(apart)
        .setYAxisTickMarkSpacingHint(apart)
        .setXAxisMin(-0.5)
        .setXAxisMax(columns - 0.5)
        .setYAxisMin(-0.5)
        .setYAxisMax(rows - 0.5);
    // XChart puts ticks on evenly spaced data, and at round numbers for uneven ones, at least a
    // cell
    // apart. The cells will hide the points.
    axes.addSeries("uneven", new double[] {0, 0.4, 1}, new double[] {0, 0.4, 1})
        .setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter)
        .setMarker(SeriesMarkers.NONE);
    return axes;
  }

  @Override
  Dimension size() {
    var size = new Dimension((int) (cell * columns) + MARGIN, (int) (cell * rows) + MARGIN);
    // XChart gives the plot what labels leave of the picture, so that only a drawing tells.
    XYChart axes = axes();
    axes.paint(
        new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics(),
        size.width,
        size.height);
    return new Dimension(
        (int) Math.round(size.width + cell * columns - plotWidth(axes)),
        (int) Math.round(size.height + cell * rows - plotHeight(axes)));
  }

  private double plotWidth(XYChart axes) {
    return axes.getScreenXFromChart(columns - 0.5) - axes.getScreenXFromChart(-0.5);
  }

  private double plotHeight(XYChart axes) {
    return axes.getScreenYFromChart(-0.5) - axes.getScreenYFromChart(rows - 0.5);
  }

  @Override
  void paint(Graphics2D g) {
    Dimension size = size();
    XYChart axes = axes();
    axes.paint(g, size.width, size.height);
    g.setRenderingHint(
        RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_NEAREST_NEIGHBOR);
    g.drawImage(
        pixels(),
        (int) Math.round(axes.getScreenXFromChart(-0.5)),
        (int) Math.round(axes.getScreenYFromChart(rows - 0.5)),
        (int) Math.round(plotWidth(axes)),
        (int) Math.round(plotHeight(axes)),
        null);
  }

  /** Returns one pixel per cell, the top row first. */
  private BufferedImage pixels() {
    double highest =
        Arrays.stream(heatmap.values())
            .flatMapToDouble(Arrays::stream)
            .reduce(0, (a, b) -> b > a ? b : a);
    var pixels = new BufferedImage(columns, rows, BufferedImage.TYPE_INT_RGB);
    for (int x = 0; x < columns; x++) {
      for (int y = 0; y < rows; y++) {
        double value = heatmap.values()[x][y];
        pixels.setRGB(x, rows - 1 - y, Viridis.rgb(highest > 0 ? value / highest : value));
      }
    }
    return pixels;
  }
}
