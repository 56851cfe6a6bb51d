package io.ringflow.table;

import io.ringflow.core.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What each position costs on held-out rows when it is predicted from none, one or two others by
 * counting: what an order of positions is chosen by.
 *
 * <p>Pairs of parents are looked at that have one of a position's best single parents. Rows count
 * of which neither the position nor its parents are missing.
 */
final class ParentCosts {
  private static final int MAX_ROWS = 20_000;

  /** Of the rows, one of so many is held out. */
  private static final int HELD_OUT = 5;

  /** Combinations of two parents' symbols, as many as a lookup table may have. */
  private static final int MAX_COMBINATIONS = 2048;

  private static final int MAX_FIRSTS = 4;

  /** Rows to look at in all: a few seconds. */
  private static final long MAX_WORK = 300_000_000;

  /** Rows that the marginals count for in a conditional. */
  private static final double SMOOTHING = 2;

  private final Space space;
  private final int[][] columns; // [position][row]; those to be counted first
  private final int counted;
  private final List<List<Choice>> choices = new ArrayList<>();

  /**
   * Parents of a position.
   *
   * @param first another position, or -1
   * @param second a third one, or -1
   * @param nats of a held-out row, on average
   */
  record Choice(int first, int second, double nats) {
    /** None, one or two positions. */
    IntStream parents() {
      return IntStream.of(first, second).filter(parent -> parent >= 0);
    }
  }

  /**
   * Costs of positions.
   *
   * @param rows at least two; -1 where a symbol is missing
   */
  ParentCosts(Space space, int[][] rows) {
    this.space = space;
    int size = Math.min(rows.length, MAX_ROWS);
    counted = Math.min(size - 1, size - size / HELD_OUT);
    columns = new int[space.size()][size];
    for (int n = 0; n < size; n++) {
      for (int d = 0; d < columns.length; d++) {
        columns[d][n] = rows[n][d];
      }
    }
    long singles = (long) columns.length * columns.length;
    long pairs = Math.max(0, MAX_WORK / size - singles);
    int firsts = (int) Math.min(MAX_FIRSTS, pairs / Math.max(1, singles));
    for (int d = 0; d < columns.length; d++) {
      choices.add(of(d, firsts));
    }
  }

  /** The choices of a position's parents that are better than all parts of them, best first. */
  List<Choice> choices(int position) {
    return choices.get(position);
  }

  private List<Choice> of(int position, int firsts) {
    double[] marginal = marginal(position);
    Choice none = new Choice(-1, -1, cost(position, new int[columns[0].length], 1, marginal));
    List<Choice> singles =
        IntStream.range(0, columns.length)
            .filter(other -> other != position && space.cardinality(other) <= MAX_COMBINATIONS)
            .mapToObj(
                other ->
                    new Choice(
                        other,
                        -1,
                        cost(position, columns[other], space.cardinality(other), marginal)))
            .filter(choice -> choice.nats < none.nats)
            .sorted(Comparator.comparingDouble(Choice::nats))
            .toList();
    double[] alone = new double[columns.length];
    Arrays.fill(alone, none.nats);
    singles.forEach(choice -> alone[choice.first] = choice.nats);
    List<Choice> all = new ArrayList<>(singles);
    boolean[] done = new boolean[columns.length];
    for (Choice single : singles.subList(0, Math.min(firsts, singles.size()))) {
      done[single.first] = true;
      for (int other = 0; other < columns.length; other++) {
        int together = space.cardinality(single.first) * space.cardinality(other);
        if (other != position && !done[other] && together <= MAX_COMBINATIONS) {
          int[] both = joined(columns[single.first], columns[other], space.cardinality(other));
          double nats = cost(position, both, together, marginal);
          if (nats < Math.min(single.nats, alone[other])) {
            all.add(new Choice(single.first, other, nats));
          }
        }
      }
    }
    all.add(none);
    all.sort(Comparator.comparingDouble(Choice::nats));
    return all;
  }

  private static int[] joined(int[] first, int[] second, int secondSymbols) {
    int[] both = new int[first.length];
    Arrays.setAll(
        both, n -> first[n] < 0 || second[n] < 0 ? -1 : first[n] * secondSymbols + second[n]);
    return both;
  }

  private double[] marginal(int position) {
    int symbols = space.cardinality(position);
    double[] shares = new double[symbols];
    int there = (int) Arrays.stream(columns[position], 0, counted).filter(k -> k >= 0).count();
    Arrays.fill(shares, 1.0 / (there + symbols));
    for (int n = 0; n < counted; n++) {
      if (columns[position][n] >= 0) {
        shares[columns[position][n]] += 1.0 / (there + symbols);
      }
    }
    return shares;
  }

  private double cost(int position, int[] parents, int parentSymbols, double[] marginal) {
    int symbols = marginal.length;
    int[] own = columns[position];
    int[] counts = new int[parentSymbols * symbols];
    int[] totals = new int[parentSymbols];
    for (int n = 0; n < counted; n++) {
      if (parents[n] >= 0 && own[n] >= 0) {
        counts[parents[n] * symbols + own[n]]++;
        totals[parents[n]]++;
      }
    }
    double sum = 0;
    int there = 0;
    for (int n = counted; n < own.length; n++) {
      if (parents[n] >= 0 && own[n] >= 0) {
        double count = counts[parents[n] * symbols + own[n]] + SMOOTHING * marginal[own[n]];
        sum -= Math.log(count / (totals[parents[n]] + SMOOTHING));
        there++;
      }
    }
    return there == 0 ? Math.log(symbols) : sum / there; // as if nothing were known
  }
}
