package io.ringflow.table;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How often two values of two columns are there together in real rows, and how often in a model's
 * samples.
 *
 * @param first the name of a column
 * @param second the name of another
 * @param real shares of the rows, 0 to 1, by a value of the first and of the second column, each in
 *     the order of {@link ColumnComparison#values}, new values left out
 * @param sampled shares of the samples
 * @param realRows how many real rows were counted: those of which neither value is {@linkplain
 *     TableCodec.Encoded#missing summed out}
 * @param sampledRows how many samples were counted
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PairComparison(
    String first,
    String second,
    double[][] real,
    double[][] sampled,
    long realRows,
    long sampledRows) {
  /**
   * Counts pairs of values.
   *
   * @param real any rows of the codec, at least one
   * @param sampled rows of the model, at least one
   * @param first position of a column
   * @param second position of another
   */
  public static PairComparison of(
      TableCodec codec,
      TableCodec.Encoded real,
      TableCodec.Encoded sampled,
      int first,
      int second) {
    return new PairComparison(
        codec.columns().get(first).name(),
        codec.columns().get(second).name(),
        shares(codec, real, first, second),
        shares(codec, sampled, first, second),
        Math.max(1, counted(real, first, second)), // all may be missing
        sampled.size());
  }

  private static double[][] shares(
      TableCodec codec, TableCodec.Encoded rows, int first, int second) {
    int[] firstPlaces = places(codec.columns().get(first));
    int[] secondPlaces = places(codec.columns().get(second));
    double[][] shares = new double[firstPlaces.length][secondPlaces.length];
    long counted = counted(rows, first, second);
    for (int row = 0; row < rows.size(); row++) {
      boolean isNew = rows.unseen(row).contains(first) || rows.unseen(row).contains(second);
      int[] symbols = rows.symbols()[row];
      if (!isNew && isThere(rows, row, first, second)) {
        shares[firstPlaces[symbols[first]]][secondPlaces[symbols[second]]] += 1.0 / counted;
      }
    }
    return shares;
  }

  private static boolean isThere(TableCodec.Encoded rows, int row, int first, int second) {
    List<Integer> missing = rows.missing(row);
    return !missing.contains(first) && !missing.contains(second);
  }

  private static long counted(TableCodec.Encoded rows, int first, int second) {
    return IntStream.range(0, rows.size()).filter(row -> isThere(rows, row, first, second)).count();
  }

  /** Where each symbol stands in the order of values. */
  private static int[] places(TableColumn column) {
    int[] places = new int[column.cardinality()];
    int place = 0;
    for (int symbol : ColumnComparison.order(column)) {
      places[symbol] = place++;
    }
    return places;
  }

  /** Half the sum of the differences of all shares, 0 to 1: the total variation distance. */
  public double difference() {
    return variation().distance();
  }

  /** The {@link #difference} to expect of so many rows and samples of one distribution. */
  public double differenceByChance() {
    return variation().byChance();
  }

  private TotalVariation variation() {
    var variation = new TotalVariation(realRows, sampledRows);
    for (int i = 0; i < real.length; i++) {
      for (int j = 0; j < real[i].length; j++) {
        variation.add(real[i][j], sampled[i][j]);
      }
    }
    return variation;
  }
}
