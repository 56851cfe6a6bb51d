package io.ringflow.table;

import io.ringflow.core.ProgressListener;
import io.ringflow.table.TableColumn.Bin;
import io.ringflow.table.TableColumn.Bins;
import io.ringflow.table.TableColumn.Categories;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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

  /** Samples of a row that a prediction is made for, whatever it takes. */
  private static final int MIN_PICKED = 32;

  /** Rows that the model may be asked for so that predictions are made for more samples. */
  private static final int EVALUATIONS = 2048;

  /** What probabilities may take of the heap. */
  private static final double MAX_HEAP_SHARE = 0.75;

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
   * @param each what the model says of rows with each of the column's symbols
   * @param completions of rows of which more is unknown
   */
  static Predictions of(
      TableColumn of,
      int column,
      MissingCells cells,
      ColumnLogProbs each,
      RowCompletions completions,
      ProgressListener progress) {
    int size = cells.rows();
    int symbols = of.cardinality();
    int[] alone = IntStream.range(0, size).filter(i -> cells.completions(i) == symbols).toArray();
    int[] others = IntStream.range(0, size).filter(i -> cells.completions(i) > symbols).toArray();
    checkMemory(size, others.length, symbols, Runtime.getRuntime().maxMemory());
    double[][] probabilities = new double[size][];
    double[][] errors = new double[size][];
    int together = Math.max(1, ColumnLogProbs.BATCH / symbols);
    for (int from = 0; from < alone.length; from += together) {
      int[] some = Arrays.copyOfRange(alone, from, Math.min(alone.length, from + together));
      double[][] nats = each.of(Arrays.stream(some).mapToObj(cells::symbols).toArray(int[][]::new));
      for (int i = 0; i < some.length; i++) {
        probabilities[some[i]] = shares(nats[i]);
      }
      progress.done(from + some.length, size);
    }
    completions.visit(
        others,
        (done, all) -> progress.done(alone.length + done, size),
        (row, found) -> {
          if (found.exact()) {
            probabilities[row] = new double[symbols];
            for (int i = 0; i < found.rows().length; i++) {
              probabilities[row][found.rows()[i][column]] +=
                  Math.exp(found.logProbs()[i] - found.logKnown());
            }
          } else {
            PickedSamples.Average average = average(each, found, symbols);
            probabilities[row] = average.means();
            errors[row] = average.standardErrors();
          }
        });
    int[] actual = IntStream.range(0, size).map(row -> cells.symbols(row)[column]).toArray();
    boolean[] hasActual = new boolean[size];
    for (int row = 0; row < size; row++) {
      hasActual[row] = !cells.missing(row).contains(column);
    }
    return new Predictions(values(of), probabilities, errors, actual, hasActual);
  }

  /**
   * Refuses what would end in an exhausted heap.
   *
   * @param estimated rows that may have standard errors too
   */
  static void checkMemory(int rows, int estimated, int symbols, long heapBytes) {
    double bytes = ((double) rows + estimated) * symbols * Double.BYTES;
    if (bytes > MAX_HEAP_SHARE * heapBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the probabilities of %,d values in each of %,d rows take %.1f GiB, but the heap has"
                  + " %.1f GiB: predict fewer rows at a time",
              symbols,
              rows,
              bytes * 0x1p-30,
              heapBytes * 0x1p-30));
    }
  }

  /** Probabilities in proportion to what was summed, which is known by its logarithms. */
  private static double[] shares(double[] logs) {
    double all = RowCompletions.logSum(logs);
    return Arrays.stream(logs).map(log -> Math.exp(log - all)).toArray();
  }

  /** Averages the exact predictions for the samples, or for some of them if there are many. */
  private static PickedSamples.Average average(
      ColumnLogProbs each, RowCompletions.Found found, int symbols) {
    int picks = Math.max(MIN_PICKED, EVALUATIONS / each.evaluations());
    PickedSamples samples = PickedSamples.of(found.logWeights(), picks);
    PickedSamples.Average average = samples.new Average(symbols);
    int[] picked = samples.picked();
    int together = Math.max(1, ColumnLogProbs.BATCH / symbols);
    for (int from = 0; from < picked.length; from += together) {
      int to = Math.min(picked.length, from + together);
      int[][] rows = new int[to - from][];
      for (int i = from; i < to; i++) {
        rows[i - from] = found.rows()[picked[i]];
      }
      double[][] nats = each.of(rows);
      for (int i = from; i < to; i++) {
        average.add(i, shares(nats[i - from]));
      }
    }
    return average;
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
