package io.ringflow.cli.report;

import io.ringflow.paper.harness.Outcome;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A line chart in colours that the colour-blind can tell apart. */
public final class LineChartPicture extends Picture {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 400;

  /** A line of fewer points has a mark on each: one point alone has no line, and two are few. */
  private static final int MIN_UNMARKED = 12;

  private static final int MAX_RANGE_BY_ONES = 8;
  private static final String TICKS = "\u0000ticks"; // no line's name
  private static final Color LEVEL = new Color(0x666666);
  private static final float[][] DASHES = {{6, 3}, {2, 2}, {8, 3, 2, 3}};
  // Okabe and Ito's palette without its yellow, which is lost on white.
  private static final Color[] LINES = {
    new Color(0x0072b2),
    new Color(0xd55e00),
    new Color(0x009e73),
    new Color(0xcc79a7),
    new Color(0xe69f00),
    new Color(0x56b4e9),
    new Color(0x555555)
  };

  private final Outcome.LineChart chart;

  public LineChartPicture(Outcome.LineChart chart) {
    super(chart.name(), chart.title());
    this.chart = chart;
  }

  @Override
  Dimension size() {
    return new Dimension(WIDTH, HEIGHT);
  }

  @Override
  void paint(Graphics2D g) {
    drawn().paint(g, WIDTH, HEIGHT);
  }

  private XYChart drawn() {
    XYChart drawn =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(chart.title())
            .xAxisTitle(chart.xLabel())
            .yAxisTitle(chart.yLabel())
            .build();
    style(drawn);
    List<Outcome.Series> lines = chart.series().stream().map(LineChartPicture::finite).toList();
    double[] x = lines.stream().flatMapToDouble(series -> Arrays.stream(series.x())).toArray();
    if (x.length > 0) {
      double first = Arrays.stream(x).min().getAsDouble();
      double last = Arrays.stream(x).max().getAsDouble();
      if (chart.logarithmic()) {
        LogarithmicAxis axis = LogarithmicAxis.around(first, last);
        axis.applyTo(drawn.getStyler());
        first = axis.from();
        last = axis.to();
      } else if (first == last) { // a level over a single point would be a point
        first--;
        last++;
      }
      if (lines.stream().anyMatch(LineChartPicture::isMarked)) {
        addTicks(drawn, first, last, lines);
      }
      var names = new HashSet<String>();
      addLines(drawn, lines, names);
      addLevels(drawn, first, last, names);
    }
    return drawn;
  }

  private static boolean isMarked(Outcome.Series line) {
    return !line.joined() || line.x().length < MIN_UNMARKED;
  }

  private void addLines(XYChart drawn, List<Outcome.Series> lines, Set<String> names) {
    int line = 0;
    for (Outcome.Series series : lines) {
      if (series.x().length > 0) {
        boolean marked = isMarked(series);
        var added =
            drawn.addSeries(
                unused(series.name(), names),
                marked ? series.x() : withMidpoint(series.x(), chart.logarithmic()),
                marked ? series.y() : withMidpoint(series.y(), false));
        added.setMarker(marked ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE);
        if (!series.joined()) {
          added.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
        }
        added.setLineColor(LINES[line % LINES.length]);
        added.setMarkerColor(LINES[line % LINES.length]);
        // Past the last colour the lines are dashed.
        added.setLineStyle(
            line < LINES.length
                ? new BasicStroke(2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND)
                : new BasicStroke(
                    2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1f, new float[] {6, 4}, 0));
      }
      line++;
    }
  }

  /** A diverged training has no place on the paper; the rest of its line has. */
  private static Outcome.Series finite(Outcome.Series series) {
    int[] shown =
        IntStream.range(0, series.x().length)
            .filter(i -> Double.isFinite(series.x()[i]) && Double.isFinite(series.y()[i]))
            .toArray();
    return new Outcome.Series(
        series.name(),
        IntStream.of(shown).mapToDouble(i -> series.x()[i]).toArray(),
        IntStream.of(shown).mapToDouble(i -> series.y()[i]).toArray(),
        series.joined());
  }

  /** Thin dashed lines from side to side. */
  private void addLevels(XYChart drawn, double first, double last, Set<String> names) {
    int kind = 0;
    for (Outcome.Level level : chart.levels()) {
      if (Double.isFinite(level.y())) {
        var added =
            drawn.addSeries(
                unused(level.name(), names),
                new double[] {first, last},
                new double[] {level.y(), level.y()});
        added.setMarker(SeriesMarkers.NONE);
        added.setLineColor(LEVEL);
        float[] dashes = DASHES[kind % DASHES.length];
        added.setLineStyle(
            new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1f, dashes, 0));
      }
      kind++;
    }
  }

  /**
   * Adds points that nobody sees, before all others, for what XChart makes of them: it puts a tick
   * on each of evenly spaced data. So every whole number in a short range has one, and no half has;
   * and heights, which are uneven now, have theirs at round numbers, not at the two or three that
   * were measured.
   */
  private void addTicks(XYChart drawn, double first, double last, List<Outcome.Series> lines) {
    boolean whole =
        lines.stream()
            .flatMapToDouble(line -> Arrays.stream(line.x()))
            .allMatch(value -> value == Math.rint(value));
    double[] x =
        !chart.logarithmic() && whole && last - first <= MAX_RANGE_BY_ONES
            ? DoubleStream.iterate(first, value -> value <= last, value -> value + 1).toArray()
            : new double[] {first};
    DoubleSummaryStatistics heights =
        lines.stream().flatMapToDouble(line -> Arrays.stream(line.y())).summaryStatistics();
    double[] y = new double[x.length];
    Arrays.fill(y, heights.getMin() + 0.37 * (heights.getMax() - heights.getMin()));
    var added = drawn.addSeries(TICKS, x, y);
    added.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
    added.setMarker(SeriesMarkers.NONE);
    added.setShowInLegend(false);
  }

  /**
   * XChart takes a name once; two lines of one name are a slip not worth losing the picture for.
   */
  private static String unused(String name, Set<String> names) {
    String unused = name;
    for (int copy = 2; !names.add(unused); copy++) {
      unused = name + " (" + copy + ")";
    }
    return unused;
  }

  /**
   * Adds the middle of the first segment, which changes no line. XChart puts its ticks on evenly
   * spaced data, at 850 and 1700, say; uneven data gets round numbers.
   */
  private static double[] withMidpoint(double[] values, boolean logarithmic) {
    if (values.length < 2) {
      return values;
    }
    double middle = logarithmic ? Math.sqrt(values[0] * values[1]) : (values[0] + values[1]) / 2;
    return DoubleStream.concat(DoubleStream.of(values[0], middle), Arrays.stream(values).skip(1))
        .toArray();
  }

  private void style(XYChart drawn) {
    style(drawn.getStyler());
    drawn
        .getStyler()
        .setLegendVisible(chart.series().size() + chart.levels().size() > 1)
        .setLegendPosition(Styler.LegendPosition.OutsideE)
        .setLegendBorderColor(Color.WHITE)
        .setLegendBackgroundColor(Color.WHITE)
        .setLegendSeriesLineLength(18)
        .setPlotContentSize(.97);
    drawn.getStyler().setXAxisTickMarkSpacingHint(100);
  }
}
