package io.ringflow.table;

import io.ringflow.core.Space;
import io.ringflow.internal.checks.Interruption;
import io.ringflow.model.FlowModel;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;

/** All rows of symbols that a condition leaves, one by one. */
final class PossibleRows {
  private static final int CHUNK = 4096;

  private final double[][] shares; // [column], null where all are 1
  private final int[][] symbols; // [column]: those that are left

  PossibleRows(Space space, Map<Integer, double[]> ofColumns) {
    shares = new double[space.size()][];
    symbols = new int[space.size()][];
    for (int d = 0; d < shares.length; d++) {
      double[] own = ofColumns.get(d);
      shares[d] = own;
      symbols[d] =
          IntStream.range(0, space.cardinality(d)).filter(k -> own == null || own[k] > 0).toArray();
    }
  }

  /** How many there are; {@link Long#MAX_VALUE} if there are more. */
  long size() {
    long size = 1;
    for (int[] own : symbols) {
      if (own.length > 0 && size > Long.MAX_VALUE / own.length) {
        return Long.MAX_VALUE;
      }
      size *= own.length;
    }
    return size;
  }

  /** The product of the shares of a row's symbols. */
  double weight(int[] row) {
    double product = 1;
    for (int d = 0; d < shares.length; d++) {
      product *= shares[d] == null ? 1 : shares[d][row[d]];
    }
    return product;
  }

  /** The sum of the rows' probabilities, times their weights. */
  double sum(FlowModel flow) {
    double sum = 0;
    long size = size();
    for (long from = 0; from < size; from += CHUNK) {
      Interruption.check();
      int[][] rows = new int[(int) Math.min(CHUNK, size - from)][];
      long first = from;
      Arrays.setAll(rows, i -> row(first + i));
      double[] nats = flow.logProb(rows);
      for (int i = 0; i < rows.length; i++) {
        sum += Math.exp(nats[i]) * weight(rows[i]);
      }
    }
    return Math.min(1, sum);
  }

  private int[] row(long number) {
    int[] row = new int[symbols.length];
    long rest = number;
    for (int d = row.length - 1; d >= 0; d--) {
      row[d] = symbols[d][(int) (rest % symbols[d].length)];
      rest /= symbols[d].length;
    }
    return row;
  }
}
