package io.ringflow.table;

import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.model.FlowModel;
import io.ringflow.table.TableColumn.Bin;
import io.ringflow.table.TableColumn.Bins;
import io.ringflow.table.TableColumn.Categories;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a model says of one column given all others, for each row of a table: exact, from the
 * probabilities of the row with each of the column's symbols. Immutable.
 */
public final class Predictions {
  /** Stands for all values of a column that were rare in training. */
  public static final String RARE = "(rare)";

  /** Stands for a missing value. */
  public static final String MISSING = "(missing)";

  /** Rows that are evaluated together. */
  private static final int BATCH = 1 << 15;

  private static final int[][] NONE = {};

  private final List<String> values;
  private final double[][] probabilities; // [row][symbol]; empty where nothing can be said

  private Predictions(List<String> values, double[][] probabilities) {
    this.values = values;
    this.probabilities = probabilities;
  }

  /** Evaluates every row with every symbol of a column. */
  static Predictions of(
      FlowModel flow,
      TableColumn of,
      int column,
      TableCodec.Encoded rows,
      ProgressListener progress) {
    int symbols = of.cardinality();
    double[][] probabilities = new double[rows.size()][];
    int together = Math.max(1, BATCH / symbols);
    for (int from = 0; from < rows.size(); from += together) {
      int to = Math.min(rows.size(), from + together);
      int[][] all = new int[(to - from) * symbols][];
      for (int i = 0; i < all.length; i++) {
        all[i] = rows.symbols()[from + i / symbols].clone();
        all[i][column] = i % symbols;
      }
      double[] nats = flow.logProb(all, NONE, Precision.FLOAT64, ProgressListener.IGNORED);
      for (int row = from; row < to; row++) {
        boolean known = rows.unseen(row).stream().allMatch(d -> d == column);
        int start = (row - from) * symbols;
        probabilities[row] =
            known ? normalised(Arrays.copyOfRange(nats, start, start + symbols)) : new double[0];
      }
      progress.done(to, rows.size());
    }
    return new Predictions(values(of), probabilities);
  }

  private static double[] normalised(double[] nats) {
    double largest = Arrays.stream(nats).max().orElseThrow();
    double[] shares = Arrays.stream(nats).map(value -> Math.exp(value - largest)).toArray();
    double sum = Arrays.stream(shares).sum();
    return Arrays.stream(shares).map(share -> share / sum).toArray();
  }

  /** What the symbols of a column stand for. */
  static List<String> values(TableColumn of) {
    List<String> values = new ArrayList<>();
    if (of instanceof Bins bins) {
      bins.bins().stream().map(Bin::toString).forEach(values::add);
    } else {
      Categories categories = (Categories) of;
      values.addAll(categories.values().values());
      if (categories.rareSymbol() >= 0) {
        values.add(RARE);
      }
    }
    if (of.missingSymbol() >= 0) {
      values.add(MISSING);
    }
    return List.copyOf(values);
  }

  /**
   * What the column's symbols stand for: a value, numbers such as {@code 17 to 21}, {@link #RARE},
   * {@link #MISSING}.
   */
  public List<String> values() {
    return values;
  }

  /** The number of rows. */
  public int size() {
    return probabilities.length;
  }

  /**
   * The probability of each of the {@link #values} in a row; empty where another column has a value
   * that training never saw.
   */
  public double[] probabilities(int row) {
    return probabilities[row].clone();
  }

  /** The likeliest of the {@link #values} in a row; -1 where nothing can be said. */
  public int likeliest(int row) {
    int best = -1;
    for (int k = 0; k < probabilities[row].length; k++) {
      if (best < 0 || probabilities[row][k] > probabilities[row][best]) {
        best = k;
      }
    }
    return best;
  }
}
