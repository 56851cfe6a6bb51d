package io.ringflow.internal.fit;

import io.ringflow.internal.engine.Conditionals;
import io.ringflow.layer.Rearrangement;
import io.ringflow.layer.Rearrangement.Digit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A weight for every symbol of the base, in the order of sampling: 0 where it is impossible, 1
 * where nothing speaks against it, between where part of what it stands for is possible.
 *
 * <p>For models whose layers only rearrange positions: the weight of a base symbol is the product
 * of those of the data symbols it stands for. Of a data position in two parts, the part that is
 * sampled first weighs 1 where some symbol is possible, and the other one has the weights of the
 * symbols that the first leaves.
 */
public final class SymbolWeights {
  private final double[][] weights; // [turn][symbol]; null where all are 1
  private final Second[] seconds; // [turn]: null where no other turn matters

  /**
   * A part whose weights depend on the other part, sampled before.
   *
   * @param first the turn of the other part
   * @param firstStride what its symbols count for in the code
   * @param stride what this part's symbols count for
   * @param size how many there are
   * @param byCode the weight of each code
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Second(int first, int firstStride, int stride, int size, double[] byCode) {
    double weight(int symbol, int[] row) {
      return byCode[row[first] * firstStride + symbol * stride];
    }

    double[] weights(int[] row) {
      double[] own = new double[size];
      Arrays.setAll(own, symbol -> weight(symbol, row));
      return own;
    }
  }

  private SymbolWeights(double[][] weights, Second[] seconds) {
    this.weights = weights;
    this.seconds = seconds;
  }

  /**
   * The weights of base symbols.
   *
   * @param conditionals of the model
   * @param positions which data positions each base position stands for
   * @param ofData weights from 0 to 1 of each symbol, by data position; 1 where there are none
   * @throws IllegalStateException if both parts of a position are sampled in one group, or packed
   */
  public static SymbolWeights of(
      Conditionals conditionals, Rearrangement positions, Map<Integer, double[]> ofData) {
    double[][] weights = new double[conditionals.turns().size()][];
    Second[] seconds = new Second[weights.length];
    Map<Integer, Integer> firsts = new HashMap<>(); // turns, by data position
    for (int turn = 0; turn < weights.length; turn++) {
      int position = conditionals.position(turn);
      List<Digit> own = positions.digits().get(position);
      if (own.stream().noneMatch(digit -> ofData.containsKey(digit.position()))) {
        continue;
      }
      double[] product = new double[conditionals.turns().cardinality(turn)];
      if (own.get(0).isPart() && own.size() == 1) {
        Digit digit = own.get(0);
        double[] byCode = byCode(digit, ofData.get(digit.position()));
        for (int code = 0; code < byCode.length; code++) {
          int symbol = code / digit.stride() % digit.cardinality();
          product[symbol] = byCode[code] > 0 ? 1 : product[symbol];
        }
        Integer first = firsts.putIfAbsent(digit.position(), turn);
        if (first != null && Arrays.stream(byCode).anyMatch(weight -> weight != 1)) {
          requireApart(conditionals, first, turn);
          int firstStride = positions.digits().get(conditionals.position(first)).get(0).stride();
          seconds[turn] = new Second(first, firstStride, digit.stride(), product.length, byCode);
        }
      } else {
        requireWhole(own);
        for (int k = 0; k < product.length; k++) {
          int[] digits = positions.digits(position, k);
          product[k] = 1;
          for (int i = 0; i < digits.length; i++) {
            double[] shares = ofData.get(own.get(i).position());
            product[k] *= shares == null ? 1 : shares[digits[i]];
          }
        }
      }
      weights[turn] = Arrays.stream(product).allMatch(weight -> weight == 1) ? null : product;
    }
    return new SymbolWeights(weights, seconds);
  }

  private static double[] byCode(Digit digit, double[] shares) {
    double[] byCode = new double[shares.length];
    Arrays.setAll(byCode, code -> shares[digit.code().symbols().get(code)]);
    return byCode;
  }

  private static void requireApart(Conditionals conditionals, int first, int second) {
    if (Arrays.stream(conditionals.groupStarts()).noneMatch(at -> at > first && at <= second)) {
      throw new IllegalStateException(
          "both parts of a position are sampled in one group: nothing can be asked of it");
    }
  }

  private static void requireWhole(List<Digit> own) {
    if (own.stream().anyMatch(Digit::isPart)) {
      throw new IllegalStateException(
          "a part of a position is packed with others: nothing can be asked of it");
    }
  }

  /**
   * The weights of a turn's symbols whatever the others are, borrowed; null where all are 1. Of the
   * second part of a position, 1 for what is possible with some first part.
   */
  public double[] at(int turn) {
    return weights[turn];
  }

  /**
   * The weights of a turn's symbols in a row, borrowed; null where all are 1.
   *
   * @param row its symbols of earlier groups, in the order of sampling
   */
  double[] at(int turn, int[] row) {
    return seconds[turn] == null ? weights[turn] : seconds[turn].weights(row);
  }

  /** Whether a turn's symbols all weigh 1. */
  boolean isFree(int turn) {
    return weights[turn] == null && seconds[turn] == null;
  }

  /** How many of the groups matter: those up to the last that has a weight. */
  int groups(int[] groupStarts) {
    int last = weights.length - 1;
    while (last >= 0 && isFree(last)) {
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

  /** The weight of a symbol in a row, as in {@link #at(int, int[])}. */
  double weight(int turn, int symbol, int[] row) {
    return seconds[turn] == null ? weight(turn, symbol) : seconds[turn].weight(symbol, row);
  }

  /** The data row of a row of base symbols in the order of sampling. */
  public static int[] data(Conditionals conditionals, Rearrangement positions, int[] turns) {
    int[] row = new int[conditionals.rows().size()];
    Map<Integer, Digit> split = new HashMap<>();
    for (int turn = 0; turn < turns.length; turn++) {
      int position = conditionals.position(turn);
      int[] values = positions.digits(position, turns[turn]);
      List<Digit> own = positions.digits().get(position);
      for (int i = 0; i < values.length; i++) {
        Digit digit = own.get(i);
        row[digit.position()] += values[i] * digit.stride();
        if (digit.isPart()) {
          split.put(digit.position(), digit);
        }
      }
    }
    split.forEach((d, digit) -> row[d] = digit.code().symbols().get(row[d]));
    return row;
  }
}
