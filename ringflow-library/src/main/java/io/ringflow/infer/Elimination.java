package io.ringflow.infer;

import io.ringflow.internal.checks.Interruption;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * An order in which to sum the positions of a graph out, one after the other, such that the tables
 * stay small.
 *
 * <p>Summing a position out joins all its neighbours in one table. The best order is hard to find;
 * three greedy ones are tried, and the one with the smallest largest table is taken: the position
 * next whose neighbours lack the fewest edges among themselves, the one with the smallest table,
 * and the positions as they are numbered (a sweep over a lattice).
 *
 * <p>Positions of one symbol join nothing: no table depends on them.
 */
final class Elimination {
  /** Beyond it an order is given up: tables could not be indexed, let alone filled. */
  static final double MAX_LOG2 = 62;

  private enum Rule {
    FILL,
    TABLE,
    SWEEP
  }

  /**
   * One position summed out.
   *
   * @param position that is summed out
   * @param others that its table depends on besides, the last to be summed out first
   */
  record Step(int position, List<Integer> others) {}

  private record Candidate(double cost, double second, int position) {
    static final Comparator<Candidate> ORDER =
        Comparator.comparingDouble(Candidate::cost)
            .thenComparingDouble(Candidate::second)
            .thenComparingInt(Candidate::position);
  }

  private final double[] logCardinality; // base 2
  private final List<Set<Integer>> neighbours = new ArrayList<>();
  private final Rule rule;
  private final Candidate[] candidates;
  private final TreeSet<Candidate> queue = new TreeSet<>(Candidate.ORDER);
  private final List<Step> steps = new ArrayList<>();
  private double log2Largest;

  private Elimination(FactorGraph graph, List<List<Integer>> joined, Rule rule) {
    int positions = graph.space().size();
    this.rule = rule;
    this.logCardinality = new double[positions];
    this.candidates = new Candidate[positions];
    for (int position = 0; position < positions; position++) {
      logCardinality[position] = log2(graph.space().cardinality(position));
    }
    for (int position = 0; position < positions; position++) {
      Set<Integer> set = new HashSet<>();
      if (logCardinality[position] > 0) {
        joined.get(position).stream().filter(p -> logCardinality[p] > 0).forEach(set::add);
      }
      neighbours.add(set);
    }
  }

  /** The best order found; its {@link #log2Largest} is infinite if every one was given up. */
  static Elimination of(FactorGraph graph) {
    List<List<Integer>> joined = graph.neighbours();
    Elimination best = null;
    for (Rule rule : Rule.values()) {
      Elimination next = new Elimination(graph, joined, rule);
      next.run(best == null ? MAX_LOG2 : Math.min(best.log2Largest, MAX_LOG2));
      if (best == null || next.log2Largest < best.log2Largest) {
        best = next;
      }
    }
    return best;
  }

  private void run(double limit) {
    for (int position = 0; position < candidates.length; position++) {
      enqueue(position);
    }
    while (!queue.isEmpty()) {
      Interruption.check();
      int position = queue.pollFirst().position();
      double log2 = log2Table(position);
      if (log2 > limit) {
        log2Largest = Double.POSITIVE_INFINITY;
        return;
      }
      log2Largest = Math.max(log2Largest, log2);
      eliminate(position);
    }
    sortOthers();
  }

  private void eliminate(int position) {
    Set<Integer> others = neighbours.get(position);
    steps.add(new Step(position, List.copyOf(others)));
    Set<Integer> changed = new HashSet<>(others);
    for (int one : others) {
      Set<Integer> ofOne = neighbours.get(one);
      ofOne.remove(position);
      int before = ofOne.size();
      ofOne.addAll(others);
      ofOne.remove(one);
      if (ofOne.size() > before && rule == Rule.FILL) {
        changed.addAll(ofOne); // a new edge between two positions that are joined to these
      }
    }
    if (rule != Rule.SWEEP) {
      changed.forEach(this::enqueue);
    }
  }

  private void enqueue(int position) {
    if (candidates[position] != null) {
      queue.remove(candidates[position]);
    }
    candidates[position] =
        switch (rule) {
          case FILL -> new Candidate(missingEdges(position), log2Table(position), position);
          case TABLE -> new Candidate(log2Table(position), 0, position);
          case SWEEP -> new Candidate(position, 0, position);
        };
    queue.add(candidates[position]);
  }

  private double log2Table(int position) {
    double sum = logCardinality[position];
    for (int other : neighbours.get(position)) {
      sum += logCardinality[other];
    }
    return sum;
  }

  private double missingEdges(int position) {
    Set<Integer> others = neighbours.get(position);
    if (others.size() > MAX_LOG2) {
      return Double.POSITIVE_INFINITY; // never to be chosen: no need to count
    }
    int missing = 0;
    for (int one : others) {
      for (int other : others) {
        missing += one < other && !neighbours.get(one).contains(other) ? 1 : 0;
      }
    }
    return missing;
  }

  private void sortOthers() {
    int[] when = new int[candidates.length];
    for (int i = 0; i < steps.size(); i++) {
      when[steps.get(i).position()] = i;
    }
    Comparator<Integer> lastFirst = Comparator.comparing(position -> -when[position]);
    steps.replaceAll(
        step -> new Step(step.position(), step.others().stream().sorted(lastFirst).toList()));
  }

  /** The positions in their order; every position occurs once. */
  List<Step> steps() {
    return steps;
  }

  /** The logarithm to base 2 of the number of entries of the largest table. */
  double log2Largest() {
    return log2Largest;
  }

  static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  /** Such as {@code 2^40} or {@code 2^40.3}. */
  static String power(double log2) {
    return "2^"
        + new DecimalFormat("0.#", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(log2);
  }
}
