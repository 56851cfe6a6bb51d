package io.ringflow.network;

import io.ringflow.core.WeightedRows;
import io.ringflow.spi.Counts;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterValues;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import java.util.List;

/**
 * Counts the symbols at the outputs of a table, for every combination of symbols that an output
 * sees, and sets its rows to the logarithms of their smoothed frequencies: what a classifier with
 * this table converges to.
 *
 * <p>Memory: 8 bytes a logit.
 */
final class LookupTableCounts implements Counts {
  /** Added to every count (Krichevsky and Trofimov): no unseen symbol becomes impossible. */
  private static final double SMOOTHING = 0.5;

  private final Parameter table;
  private final List<Output> outputs;
  private final int width;
  private final double[] counts; // [rows, width]

  /**
   * One output of a table.
   *
   * @param position whose symbol is counted
   * @param symbols of that position
   * @param firstRow where its rows begin
   * @param rows how many it has
   * @param strides what a symbol adds to the row: of each position of the condition, then of the
   *     data; 0 for what it does not see
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Output(int position, int symbols, int firstRow, int rows, long[] strides) {}

  LookupTableCounts(Parameter table, List<Output> outputs) {
    this.table = table;
    this.outputs = outputs;
    this.width = (int) table.shape()[1];
    this.counts = new double[Math.toIntExact(table.elements())];
  }

  @Override
  public void add(WeightedRows data) {
    for (Output output : outputs) {
      add(output, data);
    }
  }

  private void add(Output output, WeightedRows data) {
    int conditionSize = data.conditions().length == 0 ? 0 : data.conditions()[0].length;
    long[] strides = output.strides;
    for (int i = 0; i < data.rows().length; i++) {
      int[] row = data.rows()[i];
      long at = output.firstRow;
      for (int c = 0; c < conditionSize; c++) {
        at += strides[c] * data.conditions()[i][c];
      }
      for (int d = 0; d < row.length; d++) {
        at += strides[conditionSize + d] * row[d];
      }
      counts[(int) at * width + row[output.position]] += data.weights()[i];
    }
  }

  @Override
  public void write(ParameterValues values) {
    values
        .get(table)
        .copy_(Tensors.reals(logFrequencies(), values.precision(), values.device(), table.shape()));
  }

  /** Outputs that share rows may have different numbers of symbols: a row has the most of them. */
  private double[] logFrequencies() {
    int[] symbols = new int[counts.length / width];
    for (Output output : outputs) {
      for (int row = output.firstRow; row < output.firstRow + output.rows; row++) {
        symbols[row] = Math.max(symbols[row], output.symbols);
      }
    }
    double[] logs = new double[counts.length];
    for (int row = 0; row < symbols.length; row++) {
      int from = row * width;
      double all =
          Arrays.stream(counts, from, from + symbols[row]).sum() + SMOOTHING * symbols[row];
      for (int k = from; k < from + symbols[row]; k++) {
        logs[k] = Math.log((counts[k] + SMOOTHING) / all);
      }
    }
    return logs;
  }
}
