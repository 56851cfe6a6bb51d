package io.ringflow.infer;

import io.ringflow.core.Space;
import io.ringflow.internal.checks.Interruption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Exact answers where there are any: graphs of factors whose tables stay small when one position
 * after the other is summed out, and spaces small enough to enumerate.
 *
 * <p>The way there sums each position out of the factors that depend on it, which leaves a message,
 * a table of its neighbours that joins the factors. The way back goes through the same tables in
 * reverse: a table times what the rest of the graph says of the message's positions is the
 * probability of the table's positions.
 *
 * <p>All sums are of logarithms, so that weights of any scale keep their digits. Cost: a few
 * nanoseconds for each entry and factor, twice. Memory: the messages, and the largest table.
 */
public final class ExactInference {
  private static final int MAX_LOG2_TABLE = 26;

  private final Space space;
  private final List<Elimination.Step> steps;
  private final List<List<Factor>> factors = new ArrayList<>(); // of each step's table
  private final double[][] messages; // of each step; on the way back what the rest says
  private final List<List<Integer>> children = new ArrayList<>(); // whose messages a step joins
  private final double[] table; // of the step at hand
  private double logZ;

  private ExactInference(FactorGraph graph, Elimination elimination) {
    this.space = graph.space();
    this.steps = elimination.steps();
    this.messages = new double[steps.size()][];
    this.table = new double[(int) Math.round(Math.pow(2, elimination.log2Largest()))];
    int[] when = new int[steps.size()];
    for (int i = 0; i < steps.size(); i++) {
      when[steps.get(i).position()] = i;
      factors.add(new ArrayList<>());
      children.add(new ArrayList<>());
    }
    for (Factor factor : graph.factors()) {
      List<Integer> positions =
          factor.positions().stream().filter(p -> space.cardinality(p) > 1).toList();
      if (positions.isEmpty()) {
        logZ += factor.logValue(0);
      } else {
        int first = positions.stream().mapToInt(p -> when[p]).min().orElseThrow();
        factors.get(first).add(factor);
      }
    }
    for (int i = 0; i < steps.size(); i++) {
      List<Integer> others = steps.get(i).others();
      if (!others.isEmpty()) {
        children.get(when[others.get(others.size() - 1)]).add(i);
      }
    }
  }

  /**
   * The exact answer for a graph.
   *
   * @throws IllegalArgumentException if it would need a table of more than 2^26 entries, or more
   *     memory than there is; nothing was computed then
   */
  public static ExactAnswer of(FactorGraph graph) {
    return prepared(graph).answer();
  }

  /**
   * The row with the largest weight (max-product): the way there keeps the largest weight instead
   * of the sum, and the way back chooses the symbol that had it. Costs half of {@link #of}.
   *
   * @throws IllegalArgumentException as {@link #of} does
   */
  public static MostLikely mostLikely(FactorGraph graph) {
    int[] row = prepared(graph).largest();
    return new MostLikely(row, graph.logWeights(new int[][] {row})[0]);
  }

  private static ExactInference prepared(FactorGraph graph) {
    Elimination elimination = Elimination.of(graph);
    double log2 = elimination.log2Largest();
    if (log2 > MAX_LOG2_TABLE + 1e-9) {
      throw new IllegalArgumentException(
          "too large to answer exactly: a table of "
              + (log2 > Elimination.MAX_LOG2
                  ? "more than " + Elimination.power(Elimination.MAX_LOG2)
                  : Elimination.power(log2))
              + " entries, but at most 2^"
              + MAX_LOG2_TABLE
              + " are computed");
    }
    checkMemory(graph.space(), elimination, Runtime.getRuntime().maxMemory());
    return new ExactInference(graph, elimination);
  }

  static void checkMemory(Space space, Elimination elimination, long heapBytes) {
    double entries = Math.pow(2, elimination.log2Largest());
    for (Elimination.Step step : elimination.steps()) {
      entries += size(space, step.others());
    }
    double gibibytes = entries * Double.BYTES * 0x1p-30;
    double heap = heapBytes * 0x1p-30;
    if (gibibytes > heap) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "too large to answer exactly: tables of %.2f GiB, but the heap has %.2f GiB",
              gibibytes,
              heap));
    }
  }

  /**
   * How many entries the largest table has that {@link #of} would compute; {@link Long#MAX_VALUE}
   * if it is more than 2^62.
   */
  public static long largestTable(FactorGraph graph) {
    double log2 = Elimination.of(graph).log2Largest();
    return log2 > Elimination.MAX_LOG2 ? Long.MAX_VALUE : Math.round(Math.pow(2, log2));
  }

  /**
   * The exact answer for any target over a small space, by asking for the weight of every row.
   *
   * @throws IllegalArgumentException if the space has more than 2^24 rows
   * @throws IllegalStateException if a log-weight is not a number or positive infinity, or there
   *     are more or fewer than rows
   */
  public static ExactAnswer enumerated(Space space, Target target) {
    return Enumeration.of(space, target);
  }

  private ExactAnswer answer() {
    for (int i = 0; i < messages.length; i++) {
      Interruption.check();
      messages[i] = summedOut(i, fill(i));
      if (steps.get(i).others().isEmpty()) {
        logZ += messages[i][0];
        messages[i][0] = -messages[i][0]; // nothing else speaks of it: divides by its own sum
      }
    }
    double[][] marginals = new double[messages.length][];
    for (int position = 0; position < marginals.length; position++) {
      marginals[position] = new double[space.cardinality(position)];
      Arrays.fill(marginals[position], Double.NaN);
    }
    for (int i = messages.length - 1; i >= 0 && logZ > Double.NEGATIVE_INFINITY; i--) {
      Interruption.check();
      marginals[steps.get(i).position()] = marginal(i);
    }
    return new ExactAnswer(logZ, marginals);
  }

  private int[] largest() {
    for (int i = 0; i < messages.length; i++) {
      Interruption.check();
      int size = fill(i);
      int symbols = space.cardinality(steps.get(i).position());
      messages[i] = new double[size / symbols];
      for (int m = 0; m < messages[i].length; m++) {
        messages[i][m] = Arrays.stream(table, m * symbols, (m + 1) * symbols).max().orElseThrow();
      }
    }
    int[] row = new int[messages.length];
    for (int i = messages.length - 1; i >= 0; i--) { // all others of a step are known by then
      int position = steps.get(i).position();
      double best = Double.NEGATIVE_INFINITY;
      int chosen = 0;
      for (row[position] = 0; row[position] < space.cardinality(position); row[position]++) {
        double sum = entry(i, row);
        if (sum > best) {
          best = sum;
          chosen = row[position];
        }
      }
      row[position] = chosen;
    }
    return row;
  }

  /** The entry of a step's table that a row has. */
  private double entry(int i, int[] row) {
    double sum = 0;
    for (Factor factor : factors.get(i)) {
      sum += factor.logValue(index(factor.positions(), row));
    }
    for (int child : children.get(i)) {
      sum += messages[child][index(steps.get(child).others(), row)];
    }
    return sum;
  }

  private int index(List<Integer> positions, int[] row) {
    int index = 0;
    for (int position : positions) {
      index = index * space.cardinality(position) + row[position];
    }
    return index;
  }

  private static int size(Space space, List<Integer> positions) {
    return positions.stream().mapToInt(space::cardinality).reduce(1, (a, b) -> a * b);
  }

  private List<Integer> positions(int i) {
    List<Integer> positions = new ArrayList<>(steps.get(i).others());
    positions.add(steps.get(i).position());
    return positions;
  }

  /** Adds up a step's factors and its children's messages; returns the number of entries. */
  private int fill(int i) {
    List<Integer> positions = positions(i);
    int size = size(space, positions);
    Arrays.fill(table, 0, size, 0);
    for (Factor factor : factors.get(i)) {
      add(factor.positions(), factor.logValues(), positions, size);
    }
    for (int child : children.get(i)) {
      add(steps.get(child).others(), messages[child], positions, size);
    }
    return size;
  }

  private void add(List<Integer> some, double[] logs, List<Integer> positions, int size) {
    Projection at = new Projection(space, positions, some);
    for (int t = 0; t < size; t++) {
      table[t] += logs[at.index()];
      at.advance();
    }
  }

  private double[] summedOut(int i, int size) {
    int symbols = space.cardinality(steps.get(i).position());
    double[] message = new double[size / symbols];
    for (int m = 0; m < message.length; m++) {
      message[m] = LogSums.of(table, m * symbols, symbols);
    }
    return message;
  }

  /** Makes the step's table one of probabilities, and tells its children. */
  private double[] marginal(int i) {
    int size = fill(i);
    double[] marginal = new double[space.cardinality(steps.get(i).position())];
    for (int t = 0; t < size; t++) {
      table[t] = Math.exp(table[t] + messages[i][t / marginal.length]);
      marginal[t % marginal.length] += table[t];
    }
    for (int child : children.get(i)) {
      double[] sums = new double[messages[child].length];
      Projection at = new Projection(space, positions(i), steps.get(child).others());
      for (int t = 0; t < size; t++) {
        sums[at.index()] += table[t];
        at.advance();
      }
      for (int m = 0; m < sums.length; m++) {
        messages[child][m] =
            sums[m] == 0 // the message may be 0 as well, and 0 / 0 is 0 here
                ? Double.NEGATIVE_INFINITY
                : Math.log(sums[m]) - messages[child][m];
      }
    }
    double sum = Arrays.stream(marginal).sum(); // 1 but for rounding
    return Arrays.stream(marginal).map(value -> value / sum).toArray();
  }

  /** Walks through the entries of a table and says which entry of a smaller one each belongs to. */
  private static final class Projection {
    private final int[] cardinalities;
    private final int[] strides; // in the smaller table; 0 where it does not depend on a position
    private final int[] symbols;
    private int index;

    Projection(Space space, List<Integer> positions, List<Integer> some) {
      cardinalities = positions.stream().mapToInt(space::cardinality).toArray();
      strides = new int[cardinalities.length];
      symbols = new int[cardinalities.length];
      int stride = 1;
      for (int i = some.size() - 1; i >= 0; i--) {
        int cardinality = space.cardinality(some.get(i));
        if (cardinality > 1) { // the others are in no table
          strides[positions.indexOf(some.get(i))] = stride;
        }
        stride *= cardinality;
      }
    }

    int index() {
      return index;
    }

    void advance() {
      for (int d = symbols.length - 1; d >= 0; d--) {
        index += strides[d];
        if (++symbols[d] < cardinalities[d]) {
          return;
        }
        index -= strides[d] * cardinalities[d];
        symbols[d] = 0;
      }
    }
  }
}
