package io.ringflow.infer;

import io.ringflow.core.Device;
import io.ringflow.core.Space;
import java.util.Arrays;

/**
 * The gradient of a target's log-weight with respect to a row's one-hots: what the log-weight would
 * be with each symbol at each position, the others staying as they are. For a target that is linear
 * in every position's one-hot, as sums of factors are, that is its gradient.
 */
final class TargetGradient {
  private TargetGradient() {}

  /**
   * The gradient, up to a constant a row and position.
   *
   * @param device where to compute
   * @return {@code [row, position, symbol]} one after the other, as many symbols as the largest
   *     position has; finite
   */
  static double[] of(Target target, Space space, int[][] rows, Device device) {
    double[] gradient =
        target instanceof FactorGraph graph
            ? byFactors(graph, rows, device)
            : byRows(CheckedTarget.on(device, target), space, rows);
    makeFinite(gradient, space);
    return gradient;
  }

  private static double[] byFactors(FactorGraph graph, int[][] rows, Device device) {
    if (device != Device.CPU) {
      return graph.tables().gradient(rows, device);
    }
    int size = graph.space().size();
    int width = graph.space().maxCardinality();
    double[] gradient = new double[rows.length * size * width];
    for (int i = 0; i < rows.length; i++) {
      graph.addGradient(rows[i], gradient, i * size * width, width);
    }
    return gradient;
  }

  private static double[] byRows(Target target, Space space, int[][] rows) {
    int size = space.size();
    int width = space.maxCardinality();
    double[] gradient = new double[rows.length * size * width];
    for (int position = 0; position < size; position++) {
      for (int symbol = 0; symbol < space.cardinality(position); symbol++) {
        int[][] changed = new int[rows.length][];
        for (int i = 0; i < rows.length; i++) {
          changed[i] = rows[i].clone();
          changed[i][position] = symbol;
        }
        double[] logWeights = target.logWeights(changed);
        for (int i = 0; i < rows.length; i++) {
          gradient[(i * size + position) * width + symbol] = logWeights[i];
        }
      }
    }
    return gradient;
  }

  /** An impossible symbol is as far below the others as an impossible row. */
  private static void makeFinite(double[] gradient, Space space) {
    int width = space.maxCardinality();
    for (int from = 0; from < gradient.length; from += width) {
      int to = from + space.cardinality(from / width % space.size());
      double lowest = Arrays.stream(gradient, from, to).filter(Double::isFinite).min().orElse(0);
      for (int k = from; k < to; k++) {
        gradient[k] =
            Double.isFinite(gradient[k]) ? gradient[k] : lowest - VariationalBatches.IMPOSSIBLE;
      }
    }
  }
}
