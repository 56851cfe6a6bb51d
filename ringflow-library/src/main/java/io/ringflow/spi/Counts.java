package io.ringflow.spi;

import io.ringflow.core.Order;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.WeightedRows;

/**
 * Counts data, a part at a time, and then sets in closed form the weights that it determines. Keeps
 * counts alone, so that the data need not fit in memory.
 */
public interface Counts {
  /** Counts some rows; weights are not needed for that. */
  void add(WeightedRows data);

  /**
   * Sets what was counted. Must run inside a scope.
   *
   * @param values to write to
   */
  void write(ParameterValues values);

  /**
   * {@link #write(ParameterValues)}, where that is long work.
   *
   * @param progress hears from time to time how much of it is done, in symbols
   */
  default void write(ParameterValues values, ProgressListener progress) {
    write(values);
  }

  /** These counts, fed with rows whose positions are first put in an order. */
  default Counts in(Order order) {
    Counts inOrder = this;
    return new Counts() {
      @Override
      public void add(WeightedRows data) {
        inOrder.add(data.select(order.positions()));
      }

      @Override
      public void write(ParameterValues values) {
        inOrder.write(values);
      }

      @Override
      public void write(ParameterValues values, ProgressListener progress) {
        inOrder.write(values, progress);
      }
    };
  }
}
