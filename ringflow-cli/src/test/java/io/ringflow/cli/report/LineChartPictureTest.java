package io.ringflow.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Level;
import io.ringflow.paper.harness.Outcome.Series;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Charts of few points, such as bits per character against the number of layers. */
final class LineChartPictureTest {
  private static final int BLUE = 0x0072b2; // of the first line
  private static final int GREY = 0x666666; // of levels

  // Text is outlines; where a label begins is all that the SVG tells of it.
  private static final Pattern PLACE = Pattern.compile("translate\\(([0-9.]+) ([0-9.]+)\\)");

  private static final Pattern BLUE_LINE =
      Pattern.compile(
          "<line style=\"fill:none;stroke:rgb\\(0,114,178\\)[^>]* x1=\"([0-9.]+)\" x2=\"([0-9.]+)\""
              + " y1=\"([0-9.]+)\" y2=\"([0-9.]+)\"");
  private static final Pattern MARK = Pattern.compile("<ellipse cx=\"([0-9.]+)\"");

  private static LineChartPicture picture(List<Level> levels, double[] x, double... y) {
    return new LineChartPicture(
        new Outcome.LineChart(
            "layers", "Title", "layers", "bpc", List.of(new Series("flow", x, y)), levels));
  }

  private static LineChartPicture logarithmic(List<Level> levels, double[] x, double... y) {
    return new LineChartPicture(
        new Outcome.LineChart(
            "passes", "Title", "passes", "bpc", List.of(new Series("flow", x, y)), levels, true));
  }

  private static long pixels(LineChartPicture picture, int colour) {
    BufferedImage image = picture.image();
    int[] all = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
    return Arrays.stream(all).filter(pixel -> (pixel & 0xffffff) == colour).count();
  }

  /** How many labels stand between the x axis and its title. */
  private static int xLabels(LineChartPicture picture) {
    var places = new TreeSet<Double>();
    PLACE
        .matcher(picture.svg())
        .results()
        .filter(place -> Double.parseDouble(place.group(2)) > 355)
        .filter(place -> Double.parseDouble(place.group(2)) < 375)
        .forEach(place -> places.add(Double.parseDouble(place.group(1))));
    return places.size();
  }

  /** Where the marks of the only line stand, from left to right. */
  private static double[] marks(LineChartPicture picture) {
    return MARK.matcher(picture.svg())
        .results()
        .mapToDouble(mark -> Double.parseDouble(mark.group(1)))
        .sorted()
        .toArray();
  }

  private static double[] numbers(String words) {
    return Arrays.stream(words.split(" ")).mapToDouble(Double::parseDouble).toArray();
  }

  @Test
  void aPointAloneIsSeen() {
    assertThat(pixels(picture(List.of(), new double[] {1}, 1.6), BLUE)).isGreaterThan(100);
  }

  @Test
  void elevenPointsAreMarkedAndTwelveAreNot() {
    double[] eleven = IntStream.range(0, 11).asDoubleStream().toArray();
    double[] twelve = IntStream.range(0, 12).asDoubleStream().toArray();
    double[] flat = new double[12];
    long marked = pixels(picture(List.of(), eleven, Arrays.copyOf(flat, 11)), BLUE);
    long plain = pixels(picture(List.of(), twelve, flat), BLUE);
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
    assertThat(xLabels(picture(List.of(), places, heights))).isEqualTo(labels);
    assertThat(xLabels(picture(List.of(new Level("paper", 1.2)), places, heights)))
        .isEqualTo(labels);
  }

  @Test
  void fractionsKeepTheirTicks() {
    assertThat(xLabels(picture(List.of(), numbers("0.5 1 2"), 3, 2, 1))).isGreaterThan(2);
  }

  @Test
  void levelsGoFromSideToSide() {
    double[] x = {1, 2, 4};
    assertThat(pixels(picture(List.of(), x, 1.6, 1.5, 1.45), GREY)).isLessThan(100);
    long one = pixels(picture(List.of(new Level("paper", 1.3)), x, 1.6, 1.5, 1.45), GREY);
    // Two thirds of some 400 units are dashes, three pixels high and two to a unit.
    assertThat(one).isGreaterThan(1000);
    Level diverged = new Level("diverged", Double.NaN);
    assertThat(pixels(picture(List.of(diverged), x, 1.6, 1.5, 1.45), GREY)).isLessThan(100);
  }

  @Test
  void aLevelOverAPointAloneIsALineToo() {
    assertThat(pixels(picture(List.of(new Level("paper", 1.3)), new double[] {1}, 1.6), GREY))
        .isGreaterThan(1000);
  }

  @Test
  void aLevelOverNothingIsNotDrawn() {
    var nothing =
        new LineChartPicture(
            new Outcome.LineChart("x", "x", "x", "x", List.of(), List.of(new Level("paper", 1))));
    assertThat(pixels(nothing, GREY)).as("text has some").isLessThan(100);
  }

  @ParameterizedTest
  @CsvSource({
    "4, 2", // on an axis from 2 to 5
    "2, 3", // from 1 to 5
    "2 4 8, 3", // from 2 to 10
    "1 2 4 8, 4",
    "4 10 16 32 128, 7", // from 2 to 200
    "12.3 14 18.7, 2", // from 10 to 20
    "0.03 0.4 2 30, 11", // from 0.02 to 50
    "0.001 1 100, 6" // powers of ten alone
  })
  void aLogarithmicAxisIsLabelledAtRoundNumbers(String x, int labels) {
    double[] places = numbers(x);
    double[] heights = Arrays.stream(places).map(place -> 1.4 + 0.3 / (1 + place)).toArray();
    assertThat(xLabels(logarithmic(List.of(), places, heights))).isEqualTo(labels);
    LineChartPicture withLevel = logarithmic(List.of(new Level("paper", 1.2)), places, heights);
    assertThat(xLabels(withLevel)).isEqualTo(labels);
    assertThat(pixels(withLevel, GREY)).as("from side to side").isGreaterThan(1000);
    assertThat(pixels(withLevel, BLUE)).isGreaterThan(100);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2 4 8 16", "0.01 0.1 1 10 100", "3 9 27", "1 1.1 1.21"})
  void equalFactorsAreEquallyFarApart(String x) {
    double[] places = numbers(x);
    double[] marks = marks(logarithmic(List.of(), places, new double[places.length]));
    assertThat(marks).hasSameSizeAs(places);
    double step = (marks[marks.length - 1] - marks[0]) / (marks.length - 1);
    assertThat(step).isGreaterThan(20);
    for (int i = 1; i < marks.length; i++) {
      assertThat(marks[i] - marks[i - 1]).isCloseTo(step, within(0.03)); // of two decimals each
    }
    double[] even = marks(picture(List.of(), places, new double[places.length]));
    assertThat((even[1] - even[0]) / (even[2] - even[1]))
        .isCloseTo((places[1] - places[0]) / (places[2] - places[1]), within(0.01));
  }

  /** The point that is added for the ticks' sake must lie on the line. */
  @Test
  void aLongLogarithmicLineIsStraightWhereItsPointsAre() {
    double[] x = IntStream.range(0, 12).mapToDouble(i -> Math.pow(2, i)).toArray();
    double[] y = IntStream.range(0, 12).asDoubleStream().toArray();
    double[] slopes =
        BLUE_LINE
            .matcher(logarithmic(List.of(), x, y).svg())
            .results()
            .mapToDouble(
                line ->
                    (Double.parseDouble(line.group(4)) - Double.parseDouble(line.group(3)))
                        / (Double.parseDouble(line.group(2)) - Double.parseDouble(line.group(1))))
            .toArray();
    assertThat(slopes).hasSize(12);
    double mean = Arrays.stream(slopes).average().orElseThrow();
    assertThat(slopes)
        .containsExactly(DoubleStream.generate(() -> mean).limit(12).toArray(), within(0.005));
  }

  @Test
  void aLogarithmicChartOfNothingIsBlank() {
    assertThat(pixels(logarithmic(List.of(new Level("paper", 1)), new double[0]), BLUE)).isZero();
  }

  @Test
  void zeroHasNoPlaceOnALogarithmicAxis() {
    assertThatThrownBy(() -> logarithmic(List.of(), new double[] {0, 1}, 1, 2).image())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a logarithmic axis needs x above 0, but there is 0.0");
  }
}
