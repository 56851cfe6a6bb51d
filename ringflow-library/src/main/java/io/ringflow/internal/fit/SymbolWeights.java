package io.ringflow.internal.fit;

import io.ringflow.internal.engine.Conditionals;
import io.ringflow.layer.Rearrangement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A weight for every symbol of the base, in the order of sampling: 0 where it is impossible, 1
 * where nothing speaks against it, between where part of what it stands for is possible.
 *
 * <p>For models whose layers only rearrange positions: the weight of a base symbol is the product
 * of those of the data symbols it stands for.
 */
public final class SymbolWeights {
  private final double[][] weights; // [turn][symbol]; null where all are 1

  private SymbolWeights(double[][] weights) {
    this.weights = weights;
  }

  /**
   * The weights of base symbols.
   *
   * @param conditionals of the model
   * @param positions which data positions each base position stands for
   * @param ofData weights from 0 to 1 of each symbol, by data position; 1 where there are none
   */
  public static SymbolWeights of(
      Conditionals conditionals, Rearrangement positions, Map<Integer, double[]> ofData) {
    double[][] weights = new double[conditionals.turns().size()][];
    for (int turn = 0; turn < weights.length; turn++) {
      int position = conditionals.position(turn);
      List<Integer> own = positions.sources().get(position);
      if (own.stream().anyMatch(ofData::containsKey)) {
        double[] product = new double[conditionals.turns().cardinality(turn)];
        for (int k = 0; k < product.length; k++) {
          int[] digits = positions.digits(position, k);
          product[k] = 1;
          for (int i = 0; i < digits.length; i++) {
            double[] shares = ofData.get(own.get(i));
            product[k] *= shares == null ? 1 : shares[digits[i]];
          }
        }
        weights[turn] = Arrays.stream(product).allMatch(weight -> weight == 1) ? null : product;
      }
    }
    return new SymbolWeights(weights);
  }

  /** The weights of a turn's symbols, borrowed; null where all are 1. */
  public double[] at(int turn) {
    return weights[turn];
  }

  /** How many of the groups matter: those up to the last that has a weight. */
  int groups(int[] groupStarts) {
    int last = weights.length - 1;
    while (last >= 0 && weights[last] == null) {
      last--;
    }
    int groups = 0;
    while (groupStarts[groups] <= last) {
      groups++;
    }
    return groups;
  }

  /** How many symbols of a turn have a weight above 0. */
  int possible(int turn, int cardinality) {
    return weights[turn] == null
        ? cardinality
        : (int) Arrays.stream(weights[turn]).filter(weight -> weight > 0).count();
  }

  double weight(int turn, int symbol) {
    return weights[turn] == null ? 1 : weights[turn][symbol];
  }

  /** The data row of a row of base symbols in the order of sampling. */
  public static int[] data(Conditionals conditionals, Rearrangement positions, int[] turns) {
    int[] row = new int[conditionals.rows().size()];
    for (int turn = 0; turn < turns.length; turn++) {
      int position = conditionals.position(turn);
      int[] digits = positions.digits(position, turns[turn]);
      for (int i = 0; i < digits.length; i++) {
        row[positions.sources().get(position).get(i)] = digits[i];
      }
    }
    return row;
  }
}
