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
import java.util.stream.IntStream;

/**
 * What a model says of one column given what is known of the others, for each row of a table.
 * Immutable.
 *
 * <p>Exact where few columns are unknown besides: from the probabilities of the row with each of
 * the column's symbols, summed over what the unknown ones may be. Otherwise these are sampled given
 * what is known, and the exact predictions for each of the samples averaged by their weights.
 */
public final class Predictions {
  /** Stands for all values of a column that were rare in training. */
  public static final String RARE = "(rare)";

  /** Stands for a missing value. */
  public static final String MISSING = "(missing)";

  /** Samples of a row that a prediction is made for. */
  private static final int MAX_PICKED = 32;

  /**
   * With 99 % confidence, what N samples did not show is less than a share of {@code 4.6 / N} of
   * all that is possible, of which this is a third: values may be there that they speak against.
   */
  private static final double UNSEEN = 1.535;

  private static final int[][] NONE = {};

  private final List<String> values;
  private final double[][] probabilities; // [row][symbol]
  private final double[][] standardErrors; // null for a row that is exact
  private final int[] actual;
  private final boolean[] hasActual;

  private Predictions(
      List<String> values,
      double[][] probabilities,
      double[][] standardErrors,
      int[] actual,
      boolean[] hasActual) {
    this.values = values;
    this.actual = actual;
    this.hasActual = hasActual;
    this.probabilities = probabilities;
    this.standardErrors = standardErrors;
  }

  /**
   * Predicts a column.
   *
   * @param column unknown in all rows
   * @param cells what is known of the rows
   * @param completions of those
   */
  static Predictions of(
      FlowModel flow,
      TableColumn of,
      int column,
      MissingCells cells,
      RowCompletions completions,
      ProgressListener progress) {
    int size = cells.rows();
    double[][] probabilities = new double[size][];
    double[][] errors = new double[size][];
    completions.visit(
        IntStream.range(0, size).toArray(),
        progress,
        (row, found) -> {
          probabilities[row] = new double[of.cardinality()];
          if (found.exact()) {
            for (int i = 0; i < found.rows().length; i++) {
              probabilities[row][found.rows()[i][column]] +=
                  Math.exp(found.logProbs()[i] - found.logKnown());
            }
          } else {
            errors[row] = new double[of.cardinality()];
            estimate(flow, column, found, probabilities[row], errors[row]);
          }
        });
    int[] actual = IntStream.range(0, size).map(row -> cells.symbols(row)[column]).toArray();
    boolean[] hasActual = new boolean[size];
    for (int row = 0; row < size; row++) {
      hasActual[row] = !cells.missing(row).contains(column);
    }
    return new Predictions(values(of), probabilities, errors, actual, hasActual);
  }

  /** Averages the exact predictions for some of the samples, picked by their weights. */
  private static void estimate(
      FlowModel flow,
      int column,
      RowCompletions.Found found,
      double[] probabilities,
      double[] errors) {
    int[] picks = picks(found);
    int symbols = probabilities.length;
    int[][] rows = new int[(int) Arrays.stream(picks).filter(n -> n > 0).count() * symbols][];
    int next = 0;
    for (int i = 0; i < picks.length; i++) {
      for (int k = 0; picks[i] > 0 && k < symbols; k++) {
        rows[next] = found.rows()[i].clone();
        rows[next++][column] = k;
      }
    }
    double[] nats = flow.logProb(rows, NONE, Precision.FLOAT64, ProgressListener.IGNORED);
    double[] squares = new double[symbols];
    next = 0;
    for (int times : picks) {
      if (times > 0) {
        double share = (double) times / MAX_PICKED;
        double[] own = Arrays.copyOfRange(nats, next, next + symbols);
        double all = RowCompletions.logSum(own);
        for (int k = 0; k < symbols; k++) {
          double probability = Math.exp(own[k] - all);
          probabilities[k] += share * probability;
          squares[k] += share * probability * probability;
        }
        next += symbols;
      }
    }
    double independent = Math.min(MAX_PICKED, found.effective());
    for (int k = 0; k < symbols; k++) {
      double variance = Math.max(0, squares[k] - probabilities[k] * probabilities[k]);
      errors[k] =
          Math.min(1, Math.hypot(Math.sqrt(variance / independent), UNSEEN / found.effective()));
    }
  }

  /** How often each sample is picked: in proportion to its weight, as evenly as can be. */
  private static int[] picks(RowCompletions.Found found) {
    double all = RowCompletions.logSum(found.logWeights());
    int[] picks = new int[found.rows().length];
    double passed = 0;
    int picked = 0;
    for (int i = 0; i < picks.length; i++) {
      passed += MAX_PICKED * Math.exp(found.logWeights()[i] - all);
      while (picked < MAX_PICKED && picked + 0.5 < passed) {
        picks[i]++;
        picked++;
      }
    }
    return picks;
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

  /** The probability of each of the {@link #values} in a row. */
  public double[] probabilities(int row) {
    return probabilities[row].clone();
  }

  /** Whether the probabilities of a row were summed up, not estimated. */
  public boolean exact(int row) {
    return standardErrors[row] == null;
  }

  /** How far off each of a row's probabilities is expected to be: 0 where they are exact. */
  public double[] standardErrors(int row) {
    return exact(row) ? new double[values.size()] : standardErrors[row].clone();
  }

  /**
   * Which of the {@link #values} the table has in a row; -1 where it has none, or one that training
   * never saw.
   */
  public int actual(int row) {
    return actual[row];
  }

  /**
   * Whether the table has a value in a row that a prediction can be compared with, be it one that
   * training never saw: not where it lacks the column, or the cell is missing and missing ones have
   * no symbol.
   */
  public boolean hasActual(int row) {
    return hasActual[row];
  }

  /** The likeliest of the {@link #values} in a row. */
  public int likeliest(int row) {
    int best = 0;
    for (int k = 1; k < probabilities[row].length; k++) {
      if (probabilities[row][k] > probabilities[row][best]) {
        best = k;
      }
    }
    return best;
  }
}
