package io.ringflow.network;

import io.ringflow.core.Groups;
import io.ringflow.internal.engine.Weights;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** N-grams counted and mixed in plain Java, to compare {@link NgramMixture} with. */
final class PlainNgrams {
  private final int symbols;
  private final int order;
  private final List<Integer> separators;
  private final int lengths;
  private final int[] group; // of each position
  private final List<Side> sides = new ArrayList<>();
  private final double[] outputs; // of a network that sees nothing: symbols, then weights

  /**
   * One side of positions.
   *
   * @param direction -1 for contexts that precede them, 1 for those that follow
   * @param counts by context, the nearest symbol first
   * @param weights set after set
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Side(int direction, Map<List<Integer>, int[]> counts, double[] weights) {}

  /**
   * Counts rows.
   *
   * @param sizes order, room for contexts, and separators
   * @param weights of the only layer
   */
  PlainNgrams(int[][] rows, int symbols, NgramMixture sizes, Groups groups, Weights weights) {
    this.symbols = symbols;
    this.order = sizes.order();
    this.separators = sizes.separators();
    this.lengths = order + (separators.isEmpty() ? 1 : 2);
    this.group = new int[groups.positions()];
    for (int g = 0; g < groups.count(); g++) {
      for (int position : groups.groups().get(g)) {
        group[position] = g;
      }
    }
    boolean both = weights.statistics().size() > 2;
    for (int direction : both ? new int[] {-1, 1} : new int[] {-1}) {
      String name = (direction < 0 ? "preceding" : "following") + ".weights";
      sides.add(
          new Side(direction, counts(rows, direction, sizes.contexts()), values(weights, name)));
    }
    this.outputs = values(weights, "network.table");
  }

  private static double[] values(Weights weights, String name) {
    try (Scope scope = Scope.inference()) {
      return Tensors.toDoubles(weights.get(weights.parameters().get("layers.0." + name)));
    }
  }

  private Map<List<Integer>, int[]> counts(int[][] rows, int direction, int room) {
    int forWords = separators.isEmpty() ? 0 : room / 3;
    Map<List<Integer>, int[]> counts = ngrams(rows, direction);
    keepMostFrequent(counts, room - forWords);
    Map<List<Integer>, int[]> words = new HashMap<>();
    for (int[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        List<Integer> context = words(row, i, direction, row.length);
        if (context != null) {
          words.computeIfAbsent(context, unseen -> new int[symbols])[row[i]]++;
        }
      }
    }
    keepMostFrequent(words, forWords);
    counts.putAll(words);
    return counts;
  }

  /**
   * What stands beside a position up to the second separator, behind a mark; null where that is not
   * within reach.
   */
  private List<Integer> words(int[] row, int position, int direction, int reach) {
    List<Integer> context = new ArrayList<>(List.of(-1));
    int ended = 0;
    for (int far = 1; far <= Math.min(reach, 32); far++) {
      int neighbour = position + direction * far;
      if (neighbour < 0 || neighbour >= row.length) {
        return null;
      }
      context.add(row[neighbour]);
      ended += separators.contains(row[neighbour]) ? 1 : 0;
      if (ended == 2) {
        return context;
      }
    }
    return null;
  }

  private Map<List<Integer>, int[]> ngrams(int[][] rows, int direction) {
    Map<List<Integer>, int[]> counts = new HashMap<>();
    for (int[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        List<Integer> context = new ArrayList<>();
        for (int far = 0; far <= order; far++) {
          int neighbour = i + direction * far;
          if (neighbour < 0 || neighbour >= row.length) {
            break;
          }
          if (far > 0) {
            context.add(row[neighbour]);
          }
          counts.computeIfAbsent(List.copyOf(context), unseen -> new int[symbols])[row[i]]++;
        }
      }
    }
    return counts;
  }

  private static void keepMostFrequent(Map<List<Integer>, int[]> counts, int room) {
    int least = 2;
    while (atLeast(counts, least) > room) {
      least++;
    }
    int minimum = least;
    counts.values().removeIf(one -> Arrays.stream(one).sum() < minimum);
  }

  private static long atLeast(Map<List<Integer>, int[]> counts, int total) {
    return counts.values().stream().filter(one -> Arrays.stream(one).sum() >= total).count();
  }

  /** How many contexts there are, on all sides. */
  int contexts() {
    return sides.stream().mapToInt(side -> side.counts.size()).sum();
  }

  /** The logits of a position. */
  double[] logits(int[] row, int position, boolean leavingOneOut) {
    double[] logits = Arrays.copyOf(outputs, symbols);
    for (int i = 0; i < sides.size(); i++) {
      int first = symbols + i * lengths;
      double[] added = Arrays.copyOfRange(outputs, first, first + lengths);
      if (sides.get(i).direction > 0 && !knows(position, position + 1)) {
        continue; // one side tells the symbols' frequencies
      }
      add(sides.get(i), added, row, position, leavingOneOut, logits);
    }
    return logits;
  }

  private void add(
      Side side, double[] added, int[] row, int position, boolean leavingOneOut, double[] logits) {
    double[][] predictions = new double[lengths][];
    double[] shorter = new double[symbols];
    Arrays.fill(shorter, 1.0 / symbols);
    int set = 0;
    List<Integer> context = new ArrayList<>();
    boolean known = true;
    for (int length = 0; length < lengths; length++) {
      if (length > order) {
        int reach = 0;
        while (knows(position, position + side.direction * (reach + 1))) {
          reach++;
        }
        context = words(row, position, side.direction, reach);
        known = context != null;
      } else if (length > 0) {
        int neighbour = position + side.direction * length;
        known &= knows(position, neighbour);
        if (known) {
          context.add(row[neighbour]);
        }
      }
      int[] found = known ? side.counts.get(context) : null;
      if (found != null) {
        int[] others = found.clone();
        others[row[position]] -= leavingOneOut ? 1 : 0;
        int total = Arrays.stream(others).sum();
        int different = (int) Arrays.stream(others).filter(one -> one > 0).count();
        if (total > 0) {
          shorter = smoothed(others, total, different, shorter);
          int often = total < 2 ? 0 : total < 4 ? 1 : total < 16 ? 2 : 3;
          set = 1 + 8 * length + 2 * often + (different == 1 ? 1 : 0);
        }
      }
      predictions[length] = shorter;
    }
    for (int length = 0; length < lengths; length++) {
      double start = side.direction < 0 && length == lengths - 1 ? 1 : 0;
      double own = side.weights[set * lengths + length];
      double weight = start + 10 * own + 0.1 * added[length];
      for (int k = 0; k < symbols; k++) {
        logits[k] += weight * Math.log(predictions[length][k]);
      }
    }
  }

  private boolean knows(int position, int neighbour) {
    return neighbour >= 0 && neighbour < group.length && group[neighbour] < group[position];
  }

  private static double[] smoothed(int[] counts, int total, int different, double[] shorter) {
    double[] smoothed = new double[counts.length];
    for (int k = 0; k < counts.length; k++) {
      double own = Math.max(0, counts[k] - 0.75) / total;
      smoothed[k] = own + 0.75 * different / total * shorter[k];
    }
    return smoothed;
  }
}
