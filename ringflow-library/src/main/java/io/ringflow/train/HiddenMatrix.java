package io.ringflow.train;

import io.ringflow.internal.engine.Weights;
import io.ringflow.spi.Parameter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Where the matrices of a parameter lie in the flat buffer of a model, one behind the other.
 *
 * @param from the first element of the first
 * @param count how many there are; more than one where a single product applies them all
 * @param rows of each
 * @param columns of each
 */
record HiddenMatrix(long from, long count, long rows, long columns) {
  /** All of a model, in the order of the buffer. */
  static List<HiddenMatrix> of(Weights weights) {
    List<HiddenMatrix> matrices = new ArrayList<>();
    for (Parameter parameter : weights.parameters().values()) {
      int count = parameter.matrices();
      if (count > 0) {
        long[] shape = parameter.shape();
        matrices.add(
            new HiddenMatrix(weights.place(parameter), count, shape[0] / count, shape[1]));
      }
    }
    matrices.sort(Comparator.comparingLong(HiddenMatrix::from));
    return List.copyOf(matrices);
  }

  long to() {
    return from + count * rows * columns;
  }

  boolean hasShapeOf(HiddenMatrix other) {
    return rows == other.rows && columns == other.columns;
  }
}
