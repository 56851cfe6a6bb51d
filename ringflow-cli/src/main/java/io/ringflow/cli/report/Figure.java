package io.ringflow.cli.report;

import io.ringflow.paper.harness.Outcome;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;

/** A picture of a run: drawn as pixels for slides, as SVG for the report. */
public sealed interface Figure permits HeatmapFigure, LineChartFigure {
  /** How many pixels of {@link #image()} one unit of {@link #svg()} gets. */
  int SCALE = 2;

  /** Returns the pictures of an outcome, heatmaps first. */
  static List<Figure> of(Outcome outcome) {
    var metrics = new ArrayList<Figure>();
    outcome.heatmaps().forEach(heatmap -> metrics.add(new HeatmapFigure(heatmap)));
    outcome.charts().forEach(chart -> metrics.add(new LineChartFigure(chart)));
    return metrics;
  }

  /** Its file name without ending. */
  String name();

  /** What it shows, in a line. */
  String title();

  /** Draws it as pixels, on white. */
  BufferedImage image();

  /** Draws it as an SVG document that refers to no other file. */
  String svg();
}
