package io.ringflow.paper.harness;

import java.util.List;

/**
 * What an experiment found, in plain values: a report can be made of it anywhere.
 *
 * @param results every measured value, one per model and seed
 * @param references what to compare a model's result with, one per setting and model
 * @param heatmaps pictures of two-dimensional tables, in the order to show them
 * @param charts line charts, in the order to show them
 * @param listings preformatted text, in the order to show it
 * @param notes sentences a reader must know: how a result was computed, what it can't say
 */
public record Outcome(
    List<Result> results,
    List<Reference> references,
    List<Heatmap> heatmaps,
    List<LineChart> charts,
    List<Listing> listings,
    List<String> notes) {
  /** Copies the lists. */
  public Outcome {
    results = List.copyOf(results);
    references = List.copyOf(references);
    heatmaps = List.copyOf(heatmaps);
    charts = List.copyOf(charts);
    listings = List.copyOf(listings);
    notes = List.copyOf(notes);
  }

  /**
   * What to compare a model's result with, besides the floor and the paper's result. Of a model
   * with several metrics it means the first.
   *
   * @param setting as in {@link Result}
   * @param model as in {@link Result}
   * @param factorised the best factorised model; null where unknown
   * @param familyOptimum the best member of this model's own family; null where unknown
   * @param peers what others report for it, in words; empty where nobody does
   */
  public record Reference(
      String setting, String model, Double factorised, Double familyOptimum, String peers) {}

  /**
   * A table of non-negative numbers, shown as colours.
   *
   * @param name file name without ending, such as {@code ring-data}
   * @param title above the picture
   * @param xLabel of the columns
   * @param yLabel of the rows
   * @param values {@code values[x][y]}
   */
  @SuppressWarnings(
      "ArrayRecordComponent") // never compared; a list of 8,100 boxes would gain nothing
  public record Heatmap(
      String name, String title, String xLabel, String yLabel, double[][] values) {}

  /**
   * Lines over one pair of axes.
   *
   * @param name file name without ending
   * @param title above the picture
   * @param xLabel of the x axis
   * @param yLabel of the y axis
   * @param series the lines; one of few points has a mark on each
   * @param levels heights to compare the lines with, such as an entropy
   * @param logarithmic whether equal factors of x are equally far apart; x must then be positive
   */
  public record LineChart(
      String name,
      String title,
      String xLabel,
      String yLabel,
      List<Series> series,
      List<Level> levels,
      boolean logarithmic) {
    /** Copies the lists. */
    public LineChart {
      series = List.copyOf(series);
      levels = List.copyOf(levels);
    }

    /** Over an even x axis. */
    public LineChart(
        String name,
        String title,
        String xLabel,
        String yLabel,
        List<Series> series,
        List<Level> levels) {
      this(name, title, xLabel, yLabel, series, levels, false);
    }

    /** Lines with nothing to compare them with. */
    public LineChart(String name, String title, String xLabel, String yLabel, List<Series> series) {
      this(name, title, xLabel, yLabel, series, List.of());
    }
  }

  /**
   * A height in a chart.
   *
   * @param name in the legend
   * @param y the ordinate
   */
  public record Level(String name, double y) {}

  /**
   * One line of a chart, or points with nothing between them.
   *
   * @param name in the legend
   * @param x abscissae, increasing
   * @param y ordinates, as many
   * @param joined whether lines join the points
   */
  @SuppressWarnings("ArrayRecordComponent") // as in Heatmap
  public record Series(String name, double[] x, double[] y, boolean joined) {
    /** A line. */
    public Series(String name, double[] x, double[] y) {
      this(name, x, y, true);
    }
  }

  /**
   * Lines of text whose columns matter, such as decoded examples.
   *
   * @param name distinguishes it from the others
   * @param title above the text
   * @param lines without line ends
   */
  public record Listing(String name, String title, List<String> lines) {
    /** Copies the list. */
    public Listing {
      lines = List.copyOf(lines);
    }
  }
}
