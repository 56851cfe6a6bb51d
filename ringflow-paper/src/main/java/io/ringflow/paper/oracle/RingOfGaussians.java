package io.ringflow.paper.oracle;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * The paper's two-dimensional toy data, as an exact table: eight Gaussians on a circle, cut into
 * square bins (Figure 2).
 *
 * <p>The means stand evenly on a circle of radius 2, the first at angle 0; each axis has standard
 * deviation 0.1; what falls outside {@code [-2.25, 2.25]^2} is thrown away. A cell's probability is
 * a difference of normal cdfs, not a count of samples, so that a model's cross entropy and its
 * floors are exact.
 *
 * <p>Cells are numbered row-major: cell {@code x * K + y} is {@code {x, y}}, with {@code x = 0}
 * leftmost and {@code y = 0} lowest. Immutable and safe for use by many threads.
 */
public final class RingOfGaussians {
  private static final int COMPONENTS = 8;
  private static final double RADIUS = 2;
  private static final double SIGMA = 0.1;
  private static final double EDGE = 2.25;
  private static final double PAPER_BIN_WIDTH = 0.05;

  private final int k;
  private final double[] p; // [K * K]
  private final CellSampler sampler;

  /**
   * Cuts the plane into bins of another width than the paper's.
   *
   * @param binWidth of each axis; the square's side, 4.5, must be a whole number of at least 2 bins
   */
  public RingOfGaussians(double binWidth) {
    double bins = 2 * EDGE / binWidth;
    if (!(binWidth > 0) || bins < 1.5 || Math.abs(bins - Math.rint(bins)) > 1e-6) {
      throw new IllegalArgumentException(
          "binWidth must divide " + 2 * EDGE + " into at least 2 bins, but is " + binWidth);
    }
    k = (int) Math.rint(bins);
    p = table(k);
    sampler = new CellSampler(p);
  }

  /** Returns the paper's own: bins of 0.05, so 90 symbols per axis. */
  public static RingOfGaussians paper() {
    return new RingOfGaussians(PAPER_BIN_WIDTH);
  }

  private static double[] table(int k) {
    double[] p = new double[k * k];
    for (int component = 0; component < COMPONENTS; component++) {
      double angle = 2 * Math.PI * component / COMPONENTS;
      double[] px = axis(k, RADIUS * Math.cos(angle));
      double[] py = axis(k, RADIUS * Math.sin(angle));
      for (int x = 0; x < k; x++) {
        for (int y = 0; y < k; y++) {
          p[x * k + y] += px[x] * py[y];
        }
      }
    }
    double kept = Arrays.stream(p).sum();
    for (int cell = 0; cell < p.length; cell++) {
      p[cell] /= kept;
    }
    return p;
  }

  private static double[] axis(int k, double mean) {
    double[] q = new double[k];
    double width = 2 * EDGE / k;
    for (int i = 0; i < k; i++) {
      double from = -EDGE + i * width;
      q[i] = NormalDistribution.between((from - mean) / SIGMA, (from + width - mean) / SIGMA);
    }
    return q;
  }

  /** Returns the number of symbols per axis. */
  public int k() {
    return k;
  }

  /** Returns {@code p[x][y]}, a copy. */
  public double[][] pmf() {
    double[][] table = new double[k][];
    for (int x = 0; x < k; x++) {
      table[x] = Arrays.copyOfRange(p, x * k, (x + 1) * k);
    }
    return table;
  }

  /** Returns the probability of every cell, in the order of {@link #cells()}; a copy. */
  public double[] cellProbabilities() {
    return p.clone();
  }

  /** Returns every cell once as {@code {x, y}}, row-major. */
  public int[][] cells() {
    int[][] cells = new int[k * k][];
    Arrays.setAll(cells, this::cell);
    return cells;
  }

  private int[] cell(int index) {
    return new int[] {index / k, index % k};
  }

  /** Returns the entropy in nats: the floor of every model's cross entropy. */
  public double entropy() {
    return Entropy.of(p);
  }

  /**
   * Returns {@code H(x) + H(y)} in nats: the cross entropy of the best model without any
   * dependence.
   */
  public double factorised() {
    double[] px = new double[k];
    double[] py = new double[k];
    for (int cell = 0; cell < p.length; cell++) {
      px[cell / k] += p[cell];
      py[cell % k] += p[cell];
    }
    return Entropy.of(px) + Entropy.of(py);
  }

  /**
   * Returns a model's exact cross entropy in nats, {@code sum p (-log q)}.
   *
   * @param logProbOfCells {@code log q} of every cell, in the order of {@link #cells()}
   */
  public double crossEntropy(double[] logProbOfCells) {
    if (logProbOfCells.length != p.length) {
      throw new IllegalArgumentException(
          "logProbOfCells must have " + p.length + " entries, but has " + logProbOfCells.length);
    }
    double sum = 0;
    for (int cell = 0; cell < p.length; cell++) {
      // A cell that never occurs costs nothing, even where the model calls it impossible.
      if (p[cell] > 0) {
        sum -= p[cell] * logProbOfCells[cell];
      }
    }
    return sum;
  }

  /**
   * Samples points.
   *
   * @param n how many
   * @param rng the source of chance
   * @return {@code n} rows {@code {x, y}}
   */
  public int[][] sample(int n, RandomGenerator rng) {
    int[][] rows = new int[n][];
    Arrays.setAll(rows, i -> cell(sampler.sample(rng)));
    return rows;
  }
}
