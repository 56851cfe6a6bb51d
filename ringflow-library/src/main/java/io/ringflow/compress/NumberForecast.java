package io.ringflow.compress;

import io.ringflow.internal.mixing.DecisionCoding;

/**
 * What a column's next number will be, by least squares from other columns' numbers in the row and
 * by the number in the row before; and how likely it is above a bound, by how far such forecasts
 * were off.
 *
 * <p>Computed on both sides alike: plain Java arithmetic and {@link StrictMath}.
 */
final class NumberForecast {
  /** Numbers this large are expected with an error that grows with them. */
  private static final double EXACT = 1024;

  private static final double LINEAR_STEPS = 4096;

  private final CellColumn column;
  private final double floor; // of numbers, if their logarithms are used; otherwise 0
  private final double size;
  private final Regression regression;
  private final ErrorCounts[] errors = {new ErrorCounts(), new ErrorCounts()};
  private final double[] features;
  private final double[] expected = new double[2];
  private final double[] unit = new double[2];
  private final double[][] below = new double[2][3]; // weights at the ends and the middle
  private double before;

  /** A forecast from so many other columns. */
  NumberForecast(CellColumn column, int others) {
    this.column = column;
    int ranks = column.numericRanks();
    double low = column.bound(Math.min(1, ranks - 1));
    floor = low > 0 ? low : 0;
    size = Math.max(1, (double) column.bound(ranks) - column.bound(0));
    regression = new Regression(others + 2);
    features = new double[others + 2];
    features[0] = 1;
    before = column.bound(ranks / 2);
  }

  /** What other columns' forecasts are to know of a number. */
  double feature(long number) {
    return floor > 0
        ? StrictMath.log(Math.max(floor, (double) number))
        : (number - (double) column.bound(0)) / size;
  }

  /** What is known where a cell is no number. */
  double typicalFeature() {
    return feature(column.bound(column.numericRanks() / 2));
  }

  /** Takes another column's feature. */
  void take(int index, double feature) {
    features[index + 2] = feature;
  }

  /** Makes the forecasts of a row. */
  void begin() {
    features[1] = feature((long) before);
    double forecast = regression.expected(features);
    double number =
        floor > 0
            ? StrictMath.exp(Math.min(43, forecast)) // the largest long
            : column.bound(0) + forecast * size;
    expected[0] =
        Math.max(
            (double) column.bound(0),
            Math.min((double) column.bound(column.numericRanks()), number));
    expected[1] = before;
    for (int i = 0; i < 2; i++) {
      unit[i] = Math.max(1, floor > 0 ? expected[i] / EXACT : size / LINEAR_STEPS);
      // From the column's first number to its last.
      below[i][0] = below(i, column.bound(0));
      below[i][2] = below(i, column.bound(column.numericRanks()));
    }
  }

  private double below(int i, long bound) {
    return errors[i].below((bound - 0.5 - expected[i]) / unit[i] + 0.5);
  }

  /** The first forecast, to the precision that is worth telling apart. */
  long rounded() {
    return (long) Math.floor(expected[0] / unit[0]);
  }

  /** Sets opinions whether the number is at least a bound. */
  void opinions(long bound, int[] opinions) {
    for (int i = 0; i < 2; i++) {
      double[] at = below[i];
      at[1] = below(i, bound);
      opinions[i + 1] = DecisionCoding.logOdds(ErrorCounts.upper(at[0], at[1], at[2]));
    }
  }

  /** Goes on to the part above the bound, or to that below. */
  void decide(int bit) {
    for (double[] at : below) {
      at[bit == 1 ? 0 : 2] = at[1];
    }
  }

  /** Learns what the number was. */
  void learn(long number) {
    for (int i = 0; i < 2; i++) {
      errors[i].count((number - expected[i]) / unit[i] + 0.5);
    }
    regression.learn(features, feature(number));
    before = number;
  }
}
