package io.ringflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.paper.Outcome;
import io.ringflow.paper.Outcome.Level;
import io.ringflow.paper.Outcome.Series;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Charts of few points, such as bits per character against the number of layers. */
final class LineChartFigureTest {
  private static final int BLUE = 0x0072b2; // of the first line
  private static final int GREY = 0x666666; // of levels

  // Text is outlines; where a label begins is all that the SVG tells of it.
  private static final Pattern PLACE = Pattern.compile("translate\\(([0-9.]+) ([0-9.]+)\\)");

  private static LineChartFigure figure(List<Level> levels, double[] x, double... y) {
    return new LineChartFigure(
        new Outcome.LineChart(
            "layers", "Title", "layers", "bpc", List.of(new Series("flow", x, y)), levels));
  }

  private static long pixels(LineChartFigure figure, int colour) {
    BufferedImage image = figure.image();
    int[] all = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
    return Arrays.stream(all).filter(pixel -> (pixel & 0xffffff) == colour).count();
  }

  /** How many labels stand between the x axis and its title. */
  private static int xLabels(LineChartFigure figure) {
    var places = new TreeSet<Double>();
    PLACE
        .matcher(figure.svg())
        .results()
        .filter(place -> Double.parseDouble(place.group(2)) > 355)
        .filter(place -> Double.parseDouble(place.group(2)) < 375)
        .forEach(place -> places.add(Double.parseDouble(place.group(1))));
    return places.size();
  }

  private static double[] numbers(String words) {
    return Arrays.stream(words.split(" ")).mapToDouble(Double::parseDouble).toArray();
  }

  @Test
  void aPointAloneIsSeen() {
    assertThat(pixels(figure(List.of(), new double[] {1}, 1.6), BLUE)).isGreaterThan(100);
  }

  @Test
  void elevenPointsAreMarkedAndTwelveAreNot() {
    double[] eleven = IntStream.range(0, 11).asDoubleStream().toArray();
    double[] twelve = IntStream.range(0, 12).asDoubleStream().toArray();
    double[] flat = new double[12];
    long marked = pixels(figure(List.of(), eleven, Arrays.copyOf(flat, 11)), BLUE);
    long plain = pixels(figure(List.of(), twelve, flat), BLUE);
    // The line is as long in both; each mark adds its own.
    assertThat(marked - plain).isGreaterThan(11 * 50);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 3", // from 0 to 2
    "1 2, 2",
    "1 2 4, 4",
    "0 1 4, 5",
    "1 2 4 8, 8"
  })
  void everyWholeNumberOfAShortRangeHasALabelAndNoHalfHas(String x, int labels) {
    double[] places = numbers(x);
    double[] heights = Arrays.stream(places).map(place -> 1.4 + 0.3 / (1 + place)).toArray();
    assertThat(xLabels(figure(List.of(), places, heights))).isEqualTo(labels);
    assertThat(xLabels(figure(List.of(new Level("paper", 1.2)), places, heights)))
        .isEqualTo(labels);
  }

  @Test
  void fractionsKeepTheirTicks() {
    assertThat(xLabels(figure(List.of(), numbers("0.5 1 2"), 3, 2, 1))).isGreaterThan(2);
  }

  @Test
  void levelsGoFromSideToSide() {
    double[] x = {1, 2, 4};
    assertThat(pixels(figure(List.of(), x, 1.6, 1.5, 1.45), GREY)).isLessThan(100);
    long one = pixels(figure(List.of(new Level("paper", 1.3)), x, 1.6, 1.5, 1.45), GREY);
    // Two thirds of some 400 units are dashes, three pixels high and two to a unit.
    assertThat(one).isGreaterThan(1000);
    Level diverged = new Level("diverged", Double.NaN);
    assertThat(pixels(figure(List.of(diverged), x, 1.6, 1.5, 1.45), GREY)).isLessThan(100);
  }

  @Test
  void aLevelOverAPointAloneIsALineToo() {
    assertThat(pixels(figure(List.of(new Level("paper", 1.3)), new double[] {1}, 1.6), GREY))
        .isGreaterThan(1000);
  }

  @Test
  void aLevelOverNothingIsNotDrawn() {
    var nothing =
        new LineChartFigure(
            new Outcome.LineChart("x", "x", "x", "x", List.of(), List.of(new Level("paper", 1))));
    assertThat(pixels(nothing, GREY)).as("text has some").isLessThan(100);
  }
}
