package io.ringflow.paper.oracle;

import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The paper's full-rank distribution (section 4.1): a probability for each of the {@code K^D} rows,
 * sampled from a Dirichlet distribution whose parameters are all 1.
 *
 * <p>Cells are numbered with the first symbol most significant, as {@code Space.enumerate} does.
 * Everything is computed from the table itself, so a model's cross entropy has no sampling noise.
 *
 * <p>Memory: 8.5 bytes a cell, 83 MB for the paper's {@code 5^10}. Immutable and safe for use by
 * many threads.
 */
public final class FullRankTable {
  private static final int MAX_CELLS = 10_000_000;
  private static final int SCORED_AT_ONCE = 65_536;

  private final int d;
  private final int k;
  private final double[] p; // [K^D]

  private final CellSampler sampler;

  private FullRankTable(int d, int k, double[] weights) {
    this.d = d;
    this.k = k;
    p = weights;
    var sum = new CompensatedSum();
    for (double weight : weights) {
      sum.add(weight);
    }
    double total = sum.value();
    for (int cell = 0; cell < p.length; cell++) {
      p[cell] /= total;
    }
    sampler = new CellSampler(p);
  }

  /**
   * Samples a table: {@code K^D} exponential variates, divided by their sum. A seed names the same
   * table on every machine.
   *
   * @param d the number of symbols in a row, at least 1
   * @param k the number of values of a symbol, at least 2; {@code k^d} at most ten million
   * @param seed of the table
   */
  public static FullRankTable random(int d, int k, long seed) {
    double[] weights = new double[checkedCells(d, k)];
    var rng = new SplittableRandom(seed);
    for (int cell = 0; cell < weights.length; cell++) {
      weights[cell] = -StrictMath.log(1 - rng.nextDouble());
    }
    return new FullRankTable(d, k, weights);
  }

  /**
   * A table of given probabilities.
   *
   * @param p of every row, the first symbol most significant; copied
   */
  public static FullRankTable of(int d, int k, double... p) {
    int cells = checkedCells(d, k);
    if (p.length != cells) {
      throw new IllegalArgumentException(
          "p must have %d^%d = %d entries, but has %d".formatted(k, d, cells, p.length));
    }
    var sum = new CompensatedSum();
    for (int cell = 0; cell < cells; cell++) {
      if (!(p[cell] >= 0)) {
        throw new IllegalArgumentException(
            "p[%d] must be at least 0, but is %s".formatted(cell, p[cell]));
      }
      sum.add(p[cell]);
    }
    if (!(Math.abs(sum.value() - 1) <= 1e-9)) {
      throw new IllegalArgumentException("p must sum to 1, but sums to " + sum.value());
    }
    return new FullRankTable(d, k, p.clone());
  }

  private static int checkedCells(int d, int k) {
    if (d < 1) {
      throw new IllegalArgumentException("d must be at least 1, but is " + d);
    }
    if (k < 2) {
      throw new IllegalArgumentException("k must be at least 2, but is " + k);
    }
    double cells = Math.pow(k, d);
    if (cells > MAX_CELLS) {
      throw new IllegalArgumentException(
          "a table of %d^%d = %.3g cells is too large; at most %d"
              .formatted(k, d, cells, MAX_CELLS));
    }
    return (int) Math.round(cells);
  }

  /** Returns the number of symbols in a row. */
  public int d() {
    return d;
  }

  /** Returns the number of values of a symbol. */
  public int k() {
    return k;
  }

  /** Returns the number of cells, {@code K^D}. */
  public int cells() {
    return p.length;
  }

  /** Returns the row of a cell. */
  public int[] row(int cell) {
    if (cell < 0 || cell >= p.length) {
      throw new IllegalArgumentException(
          "cell must be in 0..%d, but is %d".formatted(p.length - 1, cell));
    }
    int[] row = new int[d];
    for (int t = d - 1, rest = cell; t >= 0; t--, rest /= k) {
      row[t] = rest % k;
    }
    return row;
  }

  /** Returns the cell of a row. */
  public int cell(int[] row) {
    if (row.length != d) {
      throw new IllegalArgumentException("row must have " + d + " symbols, but has " + row.length);
    }
    int cell = 0;
    for (int t = 0; t < d; t++) {
      if (row[t] < 0 || row[t] >= k) {
        throw new IllegalArgumentException(
            "row[%d] must be in 0..%d, but is %d".formatted(t, k - 1, row[t]));
      }
      cell = cell * k + row[t];
    }
    return cell;
  }

  /** Returns the probability of a cell. */
  public double probability(int cell) {
    return p[cell];
  }

  /** Returns the exact log-probability of a row, in nats. */
  public double logProb(int[] row) {
    return Math.log(p[cell(row)]);
  }

  /**
   * Returns the exact log-probability of each row, in nats.
   *
   * @param rows such as {@link #sample} returns
   */
  public double[] logProb(int[][] rows) {
    double[] logs = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      logs[i] = logProb(rows[i]);
    }
    return logs;
  }

  /** Returns the entropy in nats: the floor of every model's cross entropy. */
  public double entropy() {
    var sum = new CompensatedSum();
    for (double q : p) {
      sum.add(Entropy.term(q));
    }
    return sum.value();
  }

  /**
   * Returns the entropy of each symbol given all before it, {@code H(x_t | x_<t)}, in nats: what an
   * autoregressive model pays at best at each position. They sum to {@link #entropy}.
   */
  public double[] conditionalEntropies() {
    double[] entropies = new double[d];
    double[] upToT = p; // p(x_<=t), [K^(t+1)]
    for (int t = d - 1; t >= 0; t--) {
      double[] beforeT = new double[upToT.length / k]; // p(x_<t), [K^t]
      var sum = new CompensatedSum();
      for (int prefix = 0; prefix < beforeT.length; prefix++) {
        for (int symbol = 0; symbol < k; symbol++) {
          beforeT[prefix] += upToT[prefix * k + symbol];
        }
        for (int symbol = 0; symbol < k; symbol++) {
          double joint = upToT[prefix * k + symbol];
          if (joint > 0) {
            sum.add(-joint * Math.log(joint / beforeT[prefix]));
          }
        }
      }
      entropies[t] = sum.value();
      upToT = beforeT;
    }
    return entropies;
  }

  /**
   * Returns the entropy of each symbol alone, in nats: what a factorised base pays at best at each
   * position.
   */
  public double[] marginalEntropies() {
    double[] entropies = new double[d];
    int stride = 1;
    for (int t = d - 1; t >= 0; t--) {
      CompensatedSum[] sums = new CompensatedSum[k];
      for (int symbol = 0; symbol < k; symbol++) {
        sums[symbol] = new CompensatedSum();
      }
      for (int cell = 0; cell < p.length; cell++) {
        sums[cell / stride % k].add(p[cell]);
      }
      for (CompensatedSum sum : sums) {
        entropies[t] += Entropy.term(sum.value());
      }
      stride *= k;
    }
    return entropies;
  }

  /**
   * Returns the sum of the marginal entropies in nats: the cross entropy of the best model without
   * any dependence.
   */
  public double factorised() {
    double sum = 0;
    for (double entropy : marginalEntropies()) {
      sum += entropy;
    }
    return sum;
  }

  /**
   * Samples rows.
   *
   * @param n how many
   * @param rng the source of chance
   */
  public int[][] sample(int n, RandomGenerator rng) {
    int[][] rows = new int[n][];
    for (int i = 0; i < n; i++) {
      rows[i] = row(sampler.sample(rng));
    }
    return rows;
  }

  /**
   * Samples very many rows and returns how often each cell came: the same for a seed on any number
   * of threads, by another method than {@link #sample} and so of other rows. Four hundred million
   * take seconds.
   *
   * @param rows how many; at most 2<sup>31</sup> - 1 of a cell
   */
  public int[] sampleCounts(long rows, long seed) {
    if (rows < 0) {
      throw new IllegalArgumentException("rows must not be negative, but is " + rows);
    }
    return rows == 0 ? new int[p.length] : new AliasSampler(p).counts(rows, seed);
  }

  /**
   * Returns a model's exact cross entropy in nats, {@code sum p (-log q)} over all cells. A cell
   * that never occurs costs nothing, even where the model calls it impossible.
   *
   * @param logProbs returns {@code log q} of each of the rows it is given, 65,536 at most
   */
  public double crossEntropy(Function<int[][], double[]> logProbs) {
    var sum = new CompensatedSum();
    for (int from = 0; from < p.length; from += SCORED_AT_ONCE) {
      int[][] rows = new int[Math.min(SCORED_AT_ONCE, p.length - from)][];
      for (int i = 0; i < rows.length; i++) {
        rows[i] = row(from + i);
      }
      double[] logQ = logProbs.apply(rows);
      if (logQ.length != rows.length) {
        throw new IllegalArgumentException(
            "logProbs must return one number a row, %d, but returned %d"
                .formatted(rows.length, logQ.length));
      }
      for (int i = 0; i < rows.length; i++) {
        if (p[from + i] > 0) {
          sum.add(-p[from + i] * logQ[i]);
        }
      }
    }
    return sum.value();
  }
}
