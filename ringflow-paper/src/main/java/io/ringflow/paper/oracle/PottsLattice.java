package io.ringflow.paper.oracle;

import io.ringflow.core.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The Potts model on a square lattice, solved exactly (section 4.3 of the paper): {@code p(x)}
 * proportional to {@code exp(beta * number of equal neighbour pairs)}.
 *
 * <p>Sites are numbered row-major and hold a symbol {@code 0 … K - 1}; neighbours are left, right,
 * above and below. The partition function, the entropy and exact samples come from a transfer
 * matrix between the {@code K^side} states of one row of the lattice, so no Markov chain has to mix
 * and nothing is estimated. Cost: {@code side * K^(3 side)} products once, in the constructor, for
 * periodic edges, a {@code K^side}-th of it for open ones.
 *
 * <p>Immutable and safe for use by many threads.
 */
public final class PottsLattice {
  private static final int MAX_ROW_STATES = 512;

  /** Keeps every weight and every sum of weights within the range of a double. */
  private static final double MAX_LOG_WEIGHT = 600;

  private final int side;
  private final int states;
  private final double beta;
  private final List<List<Integer>> neighbours;
  private final int[][] pairs; // each pair of neighbours once, the smaller site first
  private final Space space;
  private final RowTransfer transfer;

  private PottsLattice(int side, int states, double beta, boolean periodic) {
    if (side < 2) {
      throw new IllegalArgumentException("side must be at least 2, but is " + side);
    }
    if (states < 2) {
      throw new IllegalArgumentException("states must be at least 2, but is " + states);
    }
    if (Math.pow(states, side) > MAX_ROW_STATES) {
      throw new IllegalArgumentException(
          "a row of %d sites with %d states each has %.3g states, more than the %d that can be solved"
              .formatted(side, states, Math.pow(states, side), MAX_ROW_STATES));
    }
    int pairCount = 2 * side * (periodic ? side : side - 1);
    if (!(Math.abs(beta) * pairCount <= MAX_LOG_WEIGHT)) {
      throw new IllegalArgumentException(
          "beta must lie within +-%.4g, %s over the %d pairs, but is %s"
              .formatted(MAX_LOG_WEIGHT / pairCount, MAX_LOG_WEIGHT, pairCount, beta));
    }
    this.side = side;
    this.states = states;
    this.beta = beta;
    space = Space.uniform(side * side, states);
    neighbours = neighbours(side, periodic);
    pairs =
        IntStream.range(0, side * side)
            .boxed()
            .flatMap(
                site ->
                    neighbours.get(site).stream()
                        .filter(neighbour -> site < neighbour)
                        .map(neighbour -> new int[] {site, neighbour}))
            .toArray(int[][]::new);
    transfer = new RowTransfer(side, states, beta, periodic);
  }

  /**
   * A lattice with edges: a corner has two neighbours, the rest of the rim three.
   *
   * @param side sites along each edge, at least 2; a row may have {@code K^side <= 512} states
   * @param states K, at least 2
   * @param beta the logarithm of an equal pair's weight; negative ones favour unequal neighbours
   */
  public static PottsLattice open(int side, int states, double beta) {
    return new PottsLattice(side, states, beta, false);
  }

  /**
   * A lattice on a torus: every site has four neighbours.
   *
   * <p>With {@code side} 2 the left and the right neighbour are the same site. Such a pair is then
   * joined twice and counts twice, as the rule for larger lattices says when taken literally.
   *
   * @param side sites along each edge, at least 2; a row may have {@code K^side <= 512} states
   * @param states K, at least 2
   * @param beta the logarithm of an equal pair's weight; negative ones favour unequal neighbours
   */
  public static PottsLattice periodic(int side, int states, double beta) {
    return new PottsLattice(side, states, beta, true);
  }

  /**
   * The paper's lattice as it is read here: periodic, with {@code beta = 2 J}.
   *
   * <p>The paper names its coupling {@code J} and neither its edges nor its energy. If every site
   * sums over its own neighbours, each pair counts from both ends, hence the 2. Of the readings
   * tried this is the nearest: the negative log-likelihoods of the paper's autoregressive base lie
   * 4 to 8 % below its entropy in all eight rows. At J = 0.5 they lie more than a third below the
   * entropy under open edges, or under {@code beta = J}. (No held-out result can truly lie below.)
   *
   * @param coupling J
   */
  public static PottsLattice paper(int side, int states, double coupling) {
    return periodic(side, states, 2 * coupling);
  }

  private static List<List<Integer>> neighbours(int side, boolean periodic) {
    List<List<Integer>> all = new ArrayList<>();
    for (int y = 0; y < side; y++) {
      for (int x = 0; x < side; x++) {
        List<Integer> mine = new ArrayList<>();
        for (int[] step : new int[][] {{-1, 0}, {0, -1}, {0, 1}, {1, 0}}) {
          int toY = y + step[0];
          int toX = x + step[1];
          if (periodic || (toY >= 0 && toY < side && toX >= 0 && toX < side)) {
            mine.add(Math.floorMod(toY, side) * side + Math.floorMod(toX, side));
          }
        }
        all.add(List.copyOf(mine));
      }
    }
    return List.copyOf(all);
  }

  /** Returns the number of sites along each edge. */
  public int side() {
    return side;
  }

  /** Returns the number of sites, D. */
  public int sites() {
    return side * side;
  }

  /** Returns the number of states of a site, K. */
  public int states() {
    return states;
  }

  /** Returns the logarithm of an equal pair's weight. */
  public double beta() {
    return beta;
  }

  /** Returns the space of all rows: D sites of K symbols. */
  public Space space() {
    return space;
  }

  /**
   * Returns the neighbours of every site: above, left, right, below, where they exist. A site that
   * is joined twice is listed twice.
   */
  public List<List<Integer>> neighbours() {
    return neighbours;
  }

  /** Returns how many pairs of neighbours hold the same symbol, each pair counted once. */
  public int equalPairs(int[] row) {
    space.check("row", new int[][] {row});
    int equal = 0;
    for (int[] pair : pairs) {
      equal += row[pair[0]] == row[pair[1]] ? 1 : 0;
    }
    return equal;
  }

  /** Returns the logarithm of the sum of {@code exp(beta * equal pairs)} over all rows. */
  public double logPartition() {
    return Math.log(transfer.partition());
  }

  /** Returns the expected number of equal pairs of neighbours. */
  public double meanEqualPairs() {
    return transfer.meanEqualPairs();
  }

  /** Returns the entropy in nats: the floor of every model's cross entropy. */
  public double entropy() {
    return logPartition() - beta * meanEqualPairs();
  }

  /**
   * Returns {@code D log K} in nats: the cross entropy of the best model without any dependence,
   * since every site alone is uniform by symmetry.
   */
  public double factorised() {
    return sites() * Math.log(states);
  }

  /** Returns the exact log-probability of a row, in nats. */
  public double logProb(int[] row) {
    return beta * equalPairs(row) - logPartition();
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

  /**
   * Samples independent rows from the exact distribution.
   *
   * <p>Cost of a row: about {@code D K^side / side} products.
   *
   * @param n how many
   * @param rng the source of chance
   */
  public int[][] sample(int n, RandomGenerator rng) {
    int[][] rows = new int[n][sites()];
    for (int[] row : rows) {
      transfer.sample(row, rng);
    }
    return rows;
  }

  /**
   * Samples rows as the paper does, by Metropolis chains of finite length: the second protocol,
   * whose distribution is not quite this model's.
   *
   * <p>Each row is the end of a chain of its own from a uniformly random state. One step chooses a
   * site and a new state for it, both uniformly (its own state included), and accepts with
   * probability {@code min(1, exp(beta * change of equal pairs))}.
   *
   * @param n how many chains
   * @param steps of each chain; the paper's are 500
   * @param rng the source of chance
   */
  public int[][] metropolis(int n, int steps, RandomGenerator rng) {
    return new PottsMetropolis(this).sample(n, steps, rng);
  }

  /**
   * Returns the exact distribution of a row of {@link #metropolis}: what that data's floor is
   * computed from.
   *
   * <p>On the paper's 3 x 3 lattices 500 steps are nearly enough: the entropy is then at most 0.06
   * nats above the model's own, never below. A chain that starts from uniform and has not mixed
   * errs on the side of disorder.
   *
   * @param steps of the chain
   * @return the probability of every row, in the order of {@link Space#enumerate}
   * @throws IllegalArgumentException if there are more than two million rows
   */
  public double[] metropolisDistribution(int steps) {
    return new PottsMetropolis(this).distribution(steps);
  }
}
