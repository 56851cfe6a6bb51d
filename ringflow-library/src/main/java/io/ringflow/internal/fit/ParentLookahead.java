package io.ringflow.internal.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Looks ahead by {@link ParentTables}: messages from children to parents, last to first, as if the
 * tables were the whole model. Of a tree they would be exact, and all weights alike.
 *
 * <p>A child of two parents tells the earlier one what it expects on average, and the later one
 * what it expects given the earlier one's symbol.
 */
public final class ParentLookahead implements Lookahead {
  /** The share of the mean that is added to every message: bounds what the tables get wrong. */
  private static final double DEFENSE = 0.05;

  private final double[][] factors; // [turn], null where all are alike
  private final List<List<Pair>> pairs; // by the later parent's turn

  /** Factors of a later parent's symbols, by the symbol of an earlier one. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Pair(int earlier, double[][] factors) {}

  /** The messages that weights of symbols send to earlier turns. */
  public ParentLookahead(ParentTables tables, SymbolWeights weights) {
    int size = tables.turns().size();
    factors = new double[size][];
    pairs = new ArrayList<>();
    for (int turn = 0; turn < size; turn++) {
      pairs.add(new ArrayList<>());
    }
    // What a turn's symbols are worth to its parents: its own weights, and its children's messages.
    double[][] worth = new double[size][];
    for (int turn = size - 1; turn >= 0; turn--) {
      worth[turn] = product(worth[turn], weights.at(turn));
      ParentTables.Child child = tables.child(turn);
      if (worth[turn] != null && child != null) {
        send(child, worth[turn], worth, weights);
      }
    }
    for (int turn = 0; turn < size; turn++) {
      fold(turn);
    }
  }

  private void send(
      ParentTables.Child child, double[] own, double[][] worth, SymbolWeights weights) {
    int first = child.parents()[0];
    double[] toFirst = message(child.byParent()[0], own);
    double mean = mean(toFirst, child.parentShares()[0]);
    if (!(mean > 0)) {
      return;
    }
    double[] defended = defended(toFirst, mean);
    factors[first] = product(factors[first], defended);
    worth[first] = product(worth[first], defended);
    if (child.parents().length == 2) {
      int second = child.parents()[1];
      double[] toSecond = message(child.byParent()[1], own);
      worth[second] = product(worth[second], defended(toSecond, mean));
      double[][] given = new double[toFirst.length][];
      double[] never = new double[toSecond.length]; // of symbols that are not possible
      Arrays.fill(never, 1);
      for (int a = 0; a < given.length; a++) {
        if (weights.weight(first, a) == 0) {
          given[a] = never;
          continue;
        }
        given[a] = never.clone();
        for (int b = 0; b < given[a].length; b++) {
          if (weights.weight(second, b) == 0) {
            continue;
          }
          float[] both = child.byBoth()[a * toSecond.length + b];
          given[a][b] = (both == null ? toFirst[a] : dot(both, own)) / mean + DEFENSE;
        }
      }
      pairs.get(second).add(new Pair(first, given));
    }
  }

  private static double[] message(float[][] conditional, double[] own) {
    int only = only(own);
    return Arrays.stream(conditional)
        .mapToDouble(row -> only < 0 ? dot(row, own) : row[only] * own[only])
        .toArray();
  }

  /** The only symbol that is worth anything; -1 where there are several. */
  private static int only(double[] own) {
    int found = -1;
    for (int k = 0; k < own.length; k++) {
      if (own[k] != 0) {
        if (found >= 0) {
          return -1;
        }
        found = k;
      }
    }
    return found;
  }

  private static double dot(float[] row, double[] own) {
    double sum = 0;
    for (int k = 0; k < own.length; k++) {
      sum += row[k] * own[k];
    }
    return sum;
  }

  private static double mean(double[] message, double[] shares) {
    double sum = 0;
    for (int k = 0; k < message.length; k++) {
      sum += message[k] * shares[k];
    }
    return sum;
  }

  private static double[] defended(double[] message, double mean) {
    return Arrays.stream(message).map(value -> value / mean + DEFENSE).toArray();
  }

  private static double[] product(double[] a, double[] b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    double[] product = new double[a.length];
    Arrays.setAll(product, k -> a[k] * b[k]);
    return product;
  }

  /** Multiplies a turn's factors into those of its first pair, once instead of for every row. */
  private void fold(int turn) {
    if (!pairs.get(turn).isEmpty() && factors[turn] != null) {
      Pair pair = pairs.get(turn).get(0);
      double[] own = factors[turn];
      double[][] both =
          Arrays.stream(pair.factors).map(row -> product(row, own)).toArray(double[][]::new);
      pairs.get(turn).set(0, new Pair(pair.earlier, both));
      factors[turn] = null;
    }
  }

  @Override
  public double[] factors(int turn, int[] row) {
    double[] product = factors[turn];
    for (Pair pair : pairs.get(turn)) {
      product = product(product, pair.factors[row[pair.earlier]]);
    }
    return product;
  }
}
