package io.ringflow.internal.fit;

import io.ringflow.core.SamplingOptions;
import io.ringflow.core.Space;
import io.ringflow.internal.checks.Interruption;
import io.ringflow.internal.engine.Conditionals;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The exact expectation of {@link SymbolWeights}, which of weights 0 and 1 is the probability of
 * what is possible: the sum over all beginnings of rows, up to the last group that has a weight.
 * Later groups sum to one, and the last one needs no enumeration: its turns are independent given
 * what comes before.
 */
public final class PrefixSum {
  private static final int CHUNK = 1024;

  private final Conditionals conditionals;
  private final SymbolWeights weights;
  private final SamplingOptions options; // in float64
  private final int groups;
  private final int listed; // turns whose symbols are enumerated
  private final int[][] symbols; // [turn]: those that are possible

  /** The sum for some weights. */
  public PrefixSum(Conditionals conditionals, SymbolWeights weights) {
    this(conditionals, weights, 1);
  }

  /** The sum for some weights under conditionals of a temperature. */
  PrefixSum(Conditionals conditionals, SymbolWeights weights, double temperature) {
    this.options = SamplingOptions.DEFAULTS.withTemperature(temperature);
    this.conditionals = conditionals;
    this.weights = weights;
    int[] starts = conditionals.groupStarts();
    this.groups = weights.groups(starts);
    this.listed = groups == 0 ? 0 : starts[groups - 1];
    Space turns = conditionals.turns();
    this.symbols = new int[listed][];
    for (int turn = 0; turn < listed; turn++) {
      int here = turn;
      symbols[turn] =
          IntStream.range(0, turns.cardinality(turn))
              .filter(k -> weights.weight(here, k) > 0)
              .toArray();
    }
  }

  /** How many beginnings of rows there are; {@link Long#MAX_VALUE} if there are more. */
  public long size() {
    long size = 1;
    for (int[] possible : symbols) {
      if (possible.length > 0 && size > Long.MAX_VALUE / possible.length) {
        return Long.MAX_VALUE;
      }
      size *= possible.length;
    }
    return size;
  }

  /** How many symbols a beginning of a row has logits for, which is what it costs. */
  public long symbolsPerRow() {
    long sum = 0;
    for (int turn = 0; turn < (groups == 0 ? 0 : conditionals.groupStarts()[groups]); turn++) {
      sum += conditionals.turns().cardinality(turn);
    }
    return sum;
  }

  /** The sum, in float64. */
  public double value() {
    if (groups == 0) {
      return 1;
    }
    long size = size();
    double sum = 0;
    double lost = 0; // by rounding
    for (long from = 0; from < size; from += CHUNK) {
      Interruption.check();
      for (double product : products(from, (int) Math.min(CHUNK, size - from))) {
        double next = product - lost;
        double total = sum + next;
        lost = (total - sum) - next;
        sum = total;
      }
    }
    return Math.min(1, sum);
  }

  /** For each beginning its part of the sum; for as many as memory holds. */
  double[] products() {
    double[] all = new double[Math.toIntExact(size())];
    Arrays.fill(all, 1);
    for (int from = 0; groups > 0 && from < all.length; from += CHUNK) {
      double[] part = products(from, Math.min(CHUNK, all.length - from));
      System.arraycopy(part, 0, all, from, part.length);
    }
    return all;
  }

  /** The probability of each beginning of a row, times the mass of what the last group allows. */
  private double[] products(long first, int rows) {
    double[] products = new double[rows];
    Arrays.fill(products, 1);
    int[][] beginnings = new int[rows][];
    Arrays.setAll(beginnings, row -> beginning(first + row));
    conditionals.chooseFirst(
        rows,
        groups,
        options,
        (group, chosen) -> {
          double[] p = group.probabilities();
          for (int row = 0; row < rows; row++) {
            for (int i = 0; i < group.turns(); i++) {
              int turn = group.from() + i;
              int at = group.at(row, turn);
              if (turn < listed) {
                int symbol = beginnings[row][turn];
                chosen[row * group.turns() + i] = symbol;
                products[row] *= p[at + symbol] * weights.weight(turn, symbol, beginnings[row]);
              } else if (!weights.isFree(turn)) {
                products[row] *= mass(weights.at(turn, beginnings[row]), p, at);
              }
            }
          }
        });
    return products;
  }

  private static double mass(double[] weights, double[] probabilities, int from) {
    double mass = 0;
    for (int k = 0; k < weights.length; k++) {
      mass += weights[k] * probabilities[from + k];
    }
    return mass;
  }

  /** The symbols of a beginning by its number, in mixed radix. */
  int[] beginning(long number) {
    int[] row = new int[listed];
    long rest = number;
    for (int turn = listed - 1; turn >= 0; turn--) {
      row[turn] = symbols[turn][(int) (rest % symbols[turn].length)];
      rest /= symbols[turn].length;
    }
    return row;
  }
}
