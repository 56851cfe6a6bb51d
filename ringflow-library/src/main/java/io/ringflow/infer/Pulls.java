package io.ringflow.infer;

import io.ringflow.core.Space;
import java.util.Arrays;

/**
 * How a target pulls at rows: what each row's log-weight would be with each symbol at each
 * position, the others staying as they are. For a target that is linear in every position's
 * one-hot, as sums of factors are, that is its gradient.
 */
final class Pulls {
  private Pulls() {}

  /**
   * The pulls, up to a constant a row and position.
   *
   * @return {@code [row, position, symbol]} one after the other, as many symbols as the largest
   *     position has; finite
   */
  static double[] of(Target target, Space space, int[][] rows) {
    double[] pulls =
        target instanceof FactorGraph graph ? byFactors(graph, rows) : byRows(target, space, rows);
    makeFinite(pulls, space);
    return pulls;
  }

  private static double[] byFactors(FactorGraph graph, int[][] rows) {
    int size = graph.space().size();
    int width = graph.space().maxCardinality();
    double[] pulls = new double[rows.length * size * width];
    for (int i = 0; i < rows.length; i++) {
      graph.addPulls(rows[i], pulls, i * size * width, width);
    }
    return pulls;
  }

  private static double[] byRows(Target target, Space space, int[][] rows) {
    int size = space.size();
    int width = space.maxCardinality();
    double[] pulls = new double[rows.length * size * width];
    for (int position = 0; position < size; position++) {
      for (int symbol = 0; symbol < space.cardinality(position); symbol++) {
        int[][] changed = new int[rows.length][];
        for (int i = 0; i < rows.length; i++) {
          changed[i] = rows[i].clone();
          changed[i][position] = symbol;
        }
        double[] logWeights = target.logWeights(changed);
        for (int i = 0; i < rows.length; i++) {
          pulls[(i * size + position) * width + symbol] = logWeights[i];
        }
      }
    }
    return pulls;
  }

  /** An impossible symbol is as far below the others as an impossible row. */
  private static void makeFinite(double[] pulls, Space space) {
    int width = space.maxCardinality();
    for (int from = 0; from < pulls.length; from += width) {
      int to = from + space.cardinality(from / width % space.size());
      double lowest = Arrays.stream(pulls, from, to).filter(Double::isFinite).min().orElse(0);
      for (int k = from; k < to; k++) {
        pulls[k] = Double.isFinite(pulls[k]) ? pulls[k] : lowest - VariationalBatches.IMPOSSIBLE;
      }
    }
  }
}
