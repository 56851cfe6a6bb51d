package io.ringflow.table;

import io.ringflow.core.Space;
import io.ringflow.layer.Split;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How columns of many values become two parts of about as many symbols each, so that memory grows
 * with the number of values and not with its square.
 *
 * <p>Values that go along with the same symbols of other columns get neighbouring codes: the first
 * part then knows what there is to know of those columns, and which value of its block it is hardly
 * depends on them. For each value the most frequent symbol of the other columns counts, of the
 * column first that the value tells most about; of equal ones the more frequent value comes first.
 */
final class ColumnParts {
  /** Columns of more symbols are split. */
  static final int MAX_WHOLE = 256;

  /** Columns of more symbols than this are no help to put values in order. */
  private static final int MAX_OTHER = 2048;

  private static final int MAX_KEYS = 3;

  /** Rows that the marginals count for in a conditional. */
  private static final double SMOOTHING = 2;

  private final Space space;
  private final int[][] rows;

  private ColumnParts(Space space, int[][] rows) {
    this.space = space;
    this.rows = rows;
  }

  /** The largest number of symbols, at most the given one, that makes two parts or need not. */
  static int fitting(int symbols) {
    if (symbols <= MAX_WHOLE) {
      return symbols;
    }
    int side = (int) Math.sqrt(symbols);
    return side * (symbols / side);
  }

  /** The symbols of the smaller part; 1 where a number of symbols makes no two of similar size. */
  private static int radix(int symbols) {
    int side = (int) Math.sqrt(symbols);
    while (symbols % side != 0) {
      side--;
    }
    return symbols / side <= 4 * side ? side : 1;
  }

  /**
   * A column in two parts.
   *
   * @param code of its values
   * @param keys the columns that its values were put in order by, the most telling first
   */
  record Coded(Split.Code code, List<Integer> keys) {}

  /**
   * The columns of many values, in ascending order.
   *
   * @param rows to learn from which values are alike
   */
  static List<Coded> of(TableCodec codec, int[][] rows) {
    var parts = new ColumnParts(codec.space(), rows);
    List<Coded> codes = new ArrayList<>();
    for (int d = 0; d < codec.columns().size(); d++) {
      int symbols = codec.columns().get(d).cardinality();
      boolean many = codec.columns().get(d) instanceof TableColumn.Categories;
      if (many && symbols > MAX_WHOLE && radix(symbols) > 1) {
        codes.add(parts.coded(d));
      }
    }
    return codes;
  }

  /**
   * What a column's values say of another column.
   *
   * @param column the other one
   * @param nats that they tell of a row, by counting all rows but this one
   * @param likeliest the other column's most frequent symbol, for each value
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Key(int column, double nats, int[] likeliest) {}

  private Coded coded(int column) {
    int[][] rowsOf = rowsOfSymbols(column);
    List<Key> keys = new ArrayList<>();
    for (int other = 0; other < space.size(); other++) {
      if (other != column
          && space.cardinality(other) > 1
          && space.cardinality(other) <= MAX_OTHER) {
        keys.add(key(rowsOf, other));
      }
    }
    List<Key> best =
        keys.stream()
            .filter(key -> key.nats > 0)
            .sorted(Comparator.comparingDouble(Key::nats).reversed())
            .limit(MAX_KEYS)
            .toList();
    Comparator<Integer> alike = Comparator.naturalOrder(); // the most frequent first
    for (int i = best.size() - 1; i >= 0; i--) {
      int[] likeliest = best.get(i).likeliest;
      alike = Comparator.<Integer>comparingInt(symbol -> likeliest[symbol]).thenComparing(alike);
    }
    List<Integer> order = IntStream.range(0, rowsOf.length).boxed().sorted(alike).toList();
    return new Coded(
        new Split.Code(column, radix(rowsOf.length), order),
        best.stream().map(Key::column).toList());
  }

  /** The rows that have each symbol of a column. */
  private int[][] rowsOfSymbols(int column) {
    int[] counts = new int[space.cardinality(column)];
    for (int[] row : rows) {
      counts[row[column]]++;
    }
    int[][] rowsOf = Arrays.stream(counts).mapToObj(int[]::new).toArray(int[][]::new);
    for (int n = 0; n < rows.length; n++) {
      int symbol = rows[n][column];
      rowsOf[symbol][--counts[symbol]] = n;
    }
    return rowsOf;
  }

  private Key key(int[][] rowsOf, int other) {
    double[] marginal = new double[space.cardinality(other)];
    Arrays.fill(marginal, 0.5 / (rows.length + 0.5 * marginal.length));
    for (int[] row : rows) {
      marginal[row[other]] += 1 / (rows.length + 0.5 * marginal.length);
    }
    int[] counts = new int[marginal.length];
    int[] likeliest = new int[rowsOf.length];
    double nats = 0;
    for (int symbol = 0; symbol < rowsOf.length; symbol++) {
      int most = 0;
      for (int n : rowsOf[symbol]) {
        int there = rows[n][other];
        counts[there]++;
        most = counts[there] > counts[most] ? there : most;
      }
      likeliest[symbol] = most;
      double before = rowsOf[symbol].length - 1 + SMOOTHING;
      for (int n : rowsOf[symbol]) {
        double expected = marginal[rows[n][other]];
        nats += Math.log((counts[rows[n][other]] - 1 + SMOOTHING * expected) / before / expected);
      }
      for (int n : rowsOf[symbol]) {
        counts[rows[n][other]] = 0;
      }
    }
    return new Key(other, nats, likeliest);
  }
}
