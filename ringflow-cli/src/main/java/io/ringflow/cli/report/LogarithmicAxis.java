package io.ringflow.cli.report;

import java.math.BigDecimal;
import java.math.MathContext;
import org.knowm.xchart.style.AxesChartStyler;

/**
 * An x axis on which equal factors are equally far apart, from one of 1, 2, 5, 10, 20, 50, … to
 * another, so that it has at least two labels. Left to itself XChart labels powers of ten alone:
 * none between 2 and 8.
 *
 * @param from the left end
 * @param to the right end
 */
record LogarithmicAxis(double from, double to) {
  private static final int[] LABELLED = {1, 2, 5};

  /** Beyond so many powers of ten there is room for their own labels only. */
  private static final double MAX_WITH_ALL_LABELS = 1e4;

  /**
   * The shortest such axis around some values.
   *
   * @param first the least of them, positive
   * @param last the greatest of them
   */
  static LogarithmicAxis around(double first, double last) {
    if (!(first > 0)) {
      throw new IllegalArgumentException(
          "a logarithmic axis needs x above 0, but there is " + first);
    }
    int from = 3 * (int) Math.floor(Math.log10(first)) - 1;
    while (round(from + 1) <= first) {
      from++;
    }
    int to = from + 1;
    while (round(to) < last) {
      to++;
    }
    // A point alone, on a round number, stands in the middle.
    return new LogarithmicAxis(
        round(first == last && round(from) == first ? from - 1 : from), round(to));
  }

  /** The round number of an index: 1, 2, 5, 10, 20, … from 0 on, and 0.5, 0.2, … before. */
  private static double round(int index) {
    return BigDecimal.valueOf(LABELLED[Math.floorMod(index, 3)])
        .scaleByPowerOfTen(Math.floorDiv(index, 3))
        .doubleValue();
  }

  void applyTo(AxesChartStyler style) {
    style
        .setXAxisLogarithmic(true)
        .setXAxisLogarithmicDecadeOnly(false)
        .setXAxisMin(from)
        .setXAxisMax(to)
        .setXAxisTickLabelsFormattingFunction(this::label);
  }

  /** A tick's label, empty for most. */
  private String label(double tick) {
    BigDecimal rounded = new BigDecimal(tick, new MathContext(6)).stripTrailingZeros();
    int digits = rounded.unscaledValue().intValue();
    boolean labelled =
        digits == 1 || (to / from <= MAX_WITH_ALL_LABELS && (digits == 2 || digits == 5));
    return labelled ? rounded.toPlainString() : "";
  }
}
