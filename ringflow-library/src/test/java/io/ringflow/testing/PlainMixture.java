package io.ringflow.testing;

import io.ringflow.core.Space;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.Sinkhorn;
import io.ringflow.layer.SymbolMap;
import java.util.Arrays;
import java.util.stream.IntStream;

/** What mixtures of moves say of symbols, computed on plain numbers: a reference without torch. */
public final class PlainMixture {
  private PlainMixture() {}

  /**
   * {@code log sum_m pi(m) q(y - m)}, and the same of the scales where there are some; of
   * permutations, {@code log sum_j P_jy q(j)}.
   */
  public static double[] of(
      SymbolMap map,
      Space space,
      int width,
      int[][] rows,
      double[][][] logits,
      double[][][] targets) {
    double[] sums = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      for (int d = 0; d < space.size(); d++) {
        double[] target = targets[targets.length == 1 ? 0 : i][d];
        sums[i] += of(map, space.cardinality(d), width, rows[i][d], logits[i][d], target);
      }
    }
    return sums;
  }

  public static double of(
      SymbolMap map, int k, int width, int symbol, double[] logits, double[] target) {
    if (map instanceof Sinkhorn sinkhorn) {
      double[][] soft = soft(logits, k, width, sinkhorn.iterations());
      return Math.log(
          IntStream.range(0, k).mapToDouble(j -> soft[j][symbol] * Math.exp(target[j])).sum());
    }
    boolean scales = map instanceof ShiftScale;
    double identity = map instanceof ShiftScale both ? both.logitBias() : ((Shift) map).logitBias();
    int[] shifts = IntStream.range(0, k).toArray();
    double[] ofShifts = Arrays.stream(shifts).mapToDouble(m -> logits[m]).toArray();
    ofShifts[0] += identity;
    if (!scales) {
      return mixture(ofShifts, i -> target[Math.floorMod(symbol - shifts[i], k)]);
    }
    int[] units = Arrays.stream(shifts).filter(c -> inverse(c, k) >= 0).toArray();
    double[] ofScales =
        Arrays.stream(units)
            .mapToDouble(c -> logits[width + c] + (c == Math.min(1, width - 1) ? identity : 0))
            .toArray();
    int undo = inverse(units[best(ofScales)], k);
    int unshifted = Math.floorMod(symbol - shifts[best(ofShifts)], k);
    return mixture(ofShifts, i -> target[undo * Math.floorMod(symbol - shifts[i], k) % k])
        + mixture(ofScales, i -> target[inverse(units[i], k) * unshifted % k]);
  }

  /** Sinkhorn's algorithm on plain numbers: {@code [base symbol][data symbol]}. */
  private static double[][] soft(double[] logits, int k, int width, int iterations) {
    double[][] matrix = new double[k][k];
    for (int j = 0; j < k; j++) {
      int row = j * width;
      Arrays.setAll(matrix[j], i -> Math.exp(logits[row + i]));
    }
    for (int round = 0; round < iterations; round++) {
      for (double[] row : matrix) {
        double sum = Arrays.stream(row).sum();
        Arrays.setAll(row, i -> row[i] / sum);
      }
      for (int i = 0; i < k; i++) {
        double sum = 0;
        for (double[] row : matrix) {
          sum += row[i];
        }
        for (double[] row : matrix) {
          row[i] /= sum;
        }
      }
    }
    return matrix;
  }

  @FunctionalInterface
  private interface Target {
    double of(int move);
  }

  private static double mixture(double[] logits, Target target) {
    double total = 0;
    double likelihood = 0;
    for (int i = 0; i < logits.length; i++) {
      total += Math.exp(logits[i]);
      likelihood += Math.exp(logits[i]) * Math.exp(target.of(i));
    }
    return Math.log(likelihood / total);
  }

  private static int best(double[] values) {
    int best = 0;
    for (int i = 1; i < values.length; i++) {
      best = values[i] > values[best] ? i : best;
    }
    return best;
  }

  private static int inverse(int scale, int k) {
    return IntStream.range(0, k).filter(other -> scale * other % k == 1 % k).findFirst().orElse(-1);
  }
}
