package io.ringflow.core;

import java.util.Arrays;
import java.util.List;

/**
 * Rows that stand for several equal ones each: a part of the data that weights are counted from.
 * Data of many more rows than memory holds comes as many of these, one after the other.
 *
 * @param rows of one space
 * @param conditions one for each row, or none for an unconditional model
 * @param weights how often each row counts, not negative
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record WeightedRows(int[][] rows, int[][] conditions, double[] weights) {
  private static final int[][] UNCONDITIONAL = {};

  /** Checks that all are of the same rows. */
  public WeightedRows {
    if (weights.length != rows.length) {
      throw new IllegalArgumentException(
          "weights must be of %d rows, but are of %d".formatted(rows.length, weights.length));
    }
    if (conditions.length > 0 && conditions.length != rows.length) {
      throw new IllegalArgumentException(
          "conditions must be of %d rows, but are of %d".formatted(rows.length, conditions.length));
    }
    for (int i = 0; i < weights.length; i++) {
      if (!(weights[i] >= 0 && weights[i] < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "weights[%d] must be finite and not negative, but is %s".formatted(i, weights[i]));
      }
    }
  }

  /** Rows of an unconditional model. */
  public static WeightedRows of(int[][] rows, double[] weights) {
    return new WeightedRows(rows, UNCONDITIONAL, weights);
  }

  /** Rows that count once each. */
  public static WeightedRows once(int[][] rows, int[][] conditions) {
    double[] ones = new double[rows.length];
    Arrays.fill(ones, 1);
    return new WeightedRows(rows, conditions, ones);
  }

  /** These rows as something else shows them: as many, with the same conditions and weights. */
  public WeightedRows as(int[][] others) {
    return new WeightedRows(others, conditions, weights);
  }

  /** These rows with their positions in an order, or some of the positions. */
  public WeightedRows select(List<Integer> positions) {
    int[] from = positions.stream().mapToInt(Integer::intValue).toArray();
    int[][] selected = new int[rows.length][from.length];
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < from.length; j++) {
        selected[i][j] = rows[i][from[j]];
      }
    }
    return as(selected);
  }
}
