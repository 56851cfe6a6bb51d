package io.ringflow.paper.oracle;

import java.util.Arrays;

/**
 * The partition function of the Potts model on a torus, {@code p(x)} proportional to {@code
 * exp(beta * number of equal neighbour pairs)}, where {@link PottsLattice} would need too large a
 * matrix.
 *
 * <p>{@code Z = trace T^side}, but the transfer matrix T between rows is never made: a vector over
 * the states of a row goes through it one site at a time. The trace needs such a vector for each
 * first row, and first rows that differ only in the names of their states have the same sum. Cost:
 * about {@code side^2 K^(2 side + 1) / K!} products.
 */
public final class PottsTorus {
  private static final int MAX_ROW_STATES = 10_000;

  private final int side;
  private final int states;
  private final int rowStates;
  private final double equal; // the weight of an equal pair
  private final double[] within; // the weight of a row's own pairs, [K^side]

  private PottsTorus(int side, int states, double beta) {
    if (side < 2 || states < 2 || Math.pow(states, side) > MAX_ROW_STATES) {
      throw new IllegalArgumentException(
          "side and states must be at least 2, with at most %d states of a row, but are %d and %d"
              .formatted(MAX_ROW_STATES, side, states));
    }
    this.side = side;
    this.states = states;
    this.rowStates = stride(side);
    this.equal = Math.exp(beta);
    this.within = new double[rowStates];
    Arrays.setAll(within, row -> Math.exp(beta * pairsWithin(row)));
  }

  /**
   * Returns the logarithm of the sum of all weights.
   *
   * <p>Along a side of 2 sites each pair of neighbours is joined twice.
   *
   * @param side sites along each edge, at least 2
   * @param states K, at least 2, with {@code K^side <= 10,000}
   * @param beta the logarithm of an equal pair's weight
   */
  public static double logPartition(int side, int states, double beta) {
    return new PottsTorus(side, states, beta).logPartition();
  }

  private double logPartition() {
    double[] logs = new double[rowStates];
    int count = 0;
    for (int first = 0; first < rowStates; first++) {
      int names = namings(first);
      if (names > 0) {
        logs[count++] = Math.log(names) + logReturn(first);
      }
    }
    double max = Arrays.stream(logs, 0, count).max().orElseThrow();
    var sum = new CompensatedSum();
    for (int i = 0; i < count; i++) {
      sum.add(Math.exp(logs[i] - max));
    }
    return max + Math.log(sum.value());
  }

  /** How many rows are this one up to the names of states; 0 if another stands for them. */
  private int namings(int row) {
    int used = 0;
    int names = 1;
    for (int x = 0; x < side; x++) {
      int state = state(row, x);
      if (state > used) {
        return 0; // states are named in the order in which they occur
      }
      if (state == used) {
        names *= states - used;
        used++;
      }
    }
    return names;
  }

  private int state(int row, int x) {
    return row / stride(x) % states;
  }

  private int stride(int x) {
    return (int) Math.round(Math.pow(states, x));
  }

  /** The logarithm of {@code T^side} from a row to itself. */
  private double logReturn(int first) {
    double[] vector = new double[rowStates];
    vector[first] = 1;
    double log = 0;
    for (int y = 0; y < side; y++) {
      for (int x = 0; x < side; x++) {
        vector = moved(vector, stride(x));
      }
      for (int row = 0; row < rowStates; row++) {
        vector[row] *= within[row];
      }
      double largest = Arrays.stream(vector).max().orElseThrow();
      log += Math.log(largest);
      for (int row = 0; row < rowStates; row++) {
        vector[row] /= largest;
      }
    }
    return log + Math.log(vector[first]);
  }

  /** Replaces one site of the row above by the one below it. */
  private double[] moved(double[] vector, int stride) {
    double[] result = new double[rowStates];
    int block = stride * states;
    for (int start = 0; start < rowStates; start += block) {
      for (int rest = start; rest < start + stride; rest++) {
        double sum = 0;
        for (int row = rest; row < start + block; row += stride) {
          sum += vector[row];
        }
        for (int row = rest; row < start + block; row += stride) {
          result[row] = sum + (equal - 1) * vector[row];
        }
      }
    }
    return result;
  }

  private int pairsWithin(int row) {
    int pairs = 0;
    for (int x = 0; x < side; x++) {
      pairs += state(row, x) == state(row, (x + 1) % side) ? 1 : 0;
    }
    return pairs;
  }
}
