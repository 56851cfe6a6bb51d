package io.ringflow.table;

import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.layer.Rearrangement.Digit;
import io.ringflow.model.FlowModel;
import java.util.Arrays;
import java.util.List;

/**
 * The log-probabilities of rows with each of one column's symbols, the other columns being as they
 * are.
 *
 * <p>In general these are as many evaluations as there are symbols. Of a column in two parts whose
 * second part nothing depends on, one evaluation says it of all second parts: as many as there are
 * first parts are enough, of 100,000 symbols 316.
 */
final class ColumnLogProbs {
  /** Rows that are evaluated together: what bounds memory. */
  static final int BATCH = 1 << 13;

  private static final int[][] NONE = {};

  private final FlowModel flow;
  private final Conditionals conditionals;
  private final int column;
  private final int symbols;
  private final Parts parts; // null where every symbol is evaluated

  /**
   * The parts of a column.
   *
   * @param lastTurn of the second one
   */
  private record Parts(Digit first, Digit last, int lastTurn) {
    int symbol(int one, int two) {
      return first.code().symbols().get(one * first.stride() + two * last.stride());
    }
  }

  ColumnLogProbs(FlowModel flow, Conditionals conditionals, int column) {
    this.flow = flow;
    this.conditionals = conditionals;
    this.column = column;
    this.symbols = conditionals.rows().cardinality(column);
    this.parts = flow.architecture().movesSymbols() ? null : parts();
  }

  private Parts parts() {
    List<List<Digit>> digits = flow.architecture().positions().digits();
    int[] starts = conditionals.groupStarts();
    int lastGroup = starts[starts.length - 2];
    Digit first = null;
    for (int turn = 0; turn < conditionals.turns().size(); turn++) {
      List<Digit> own = digits.get(conditionals.position(turn));
      boolean isPart = own.size() == 1 && own.get(0).isPart() && own.get(0).position() == column;
      if (isPart && turn < lastGroup) {
        first = own.get(0);
      } else if (isPart && first != null) {
        return new Parts(first, own.get(0), turn);
      }
    }
    return null;
  }

  /** How many rows are evaluated for one. */
  int evaluations() {
    return parts == null ? symbols : parts.first.cardinality();
  }

  /**
   * The log-probabilities.
   *
   * @param rows whatever they have in the column
   * @return by row and symbol
   */
  double[][] of(int[][] rows) {
    return parts == null
        ? ofEach(rows)
        : Arrays.stream(rows).map(this::ofParts).toArray(double[][]::new);
  }

  private double[][] ofEach(int[][] rows) {
    double[][] all = new double[rows.length][symbols];
    long count = (long) rows.length * symbols;
    for (long from = 0; from < count; from += BATCH) {
      int[][] some = new int[(int) Math.min(BATCH, count - from)][];
      for (int i = 0; i < some.length; i++) {
        some[i] = with(rows[(int) ((from + i) / symbols)], (int) ((from + i) % symbols));
      }
      double[] nats = flow.logProb(some, NONE, Precision.FLOAT64, ProgressListener.IGNORED);
      for (int i = 0; i < some.length; i++) {
        all[(int) ((from + i) / symbols)][(int) ((from + i) % symbols)] = nats[i];
      }
    }
    return all;
  }

  private double[] ofParts(int[] row) {
    int ones = parts.first.cardinality();
    int twos = parts.last.cardinality();
    int[][] some = new int[ones][];
    Arrays.setAll(some, one -> with(row, parts.symbol(one, 0)));
    double[] nats = new double[symbols];
    double[] rest = new double[ones]; // of all but the second part
    conditionals.visit(
        some,
        (one, turn, symbol, logProbs, from) -> {
          if (turn == parts.lastTurn) {
            for (int two = 0; two < twos; two++) {
              nats[parts.symbol(one, two)] = logProbs[from + two];
            }
          } else {
            rest[one] += logProbs[from + symbol];
          }
        });
    for (int one = 0; one < ones; one++) {
      for (int two = 0; two < twos; two++) {
        nats[parts.symbol(one, two)] += rest[one];
      }
    }
    return nats;
  }

  private int[] with(int[] row, int symbol) {
    int[] changed = row.clone();
    changed[column] = symbol;
    return changed;
  }
}
