package io.ringflow.paper.oracle;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Metropolis chains on a {@link PottsLattice}, run or computed exactly.
 *
 * <p>A chain starts from a uniformly random state. One step proposes a uniformly chosen state for a
 * uniformly chosen site and accepts it with probability {@code min(1, exp(beta * change))}.
 */
final class PottsMetropolis {
  private static final int MAX_CELLS = 2_000_000;
  private static final int MAX_NEIGHBOURS = 4;

  private final PottsLattice lattice;
  private final int sites;
  private final int states;
  private final int[][] neighbours; // [D, up to 4]
  private final double[] acceptance; // of a change from -4 to 4 equal pairs, [9]

  PottsMetropolis(PottsLattice lattice) {
    this.lattice = lattice;
    sites = lattice.sites();
    states = lattice.states();
    neighbours =
        lattice.neighbours().stream()
            .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
            .toArray(int[][]::new);
    acceptance = new double[2 * MAX_NEIGHBOURS + 1];
    for (int change = -MAX_NEIGHBOURS; change <= MAX_NEIGHBOURS; change++) {
      acceptance[change + MAX_NEIGHBOURS] = Math.min(1, Math.exp(lattice.beta() * change));
    }
  }

  /** Runs {@code n} independent chains and returns their last states. */
  int[][] sample(int n, int steps, RandomGenerator rng) {
    checkSteps(steps);
    int[][] rows = new int[n][sites];
    for (int[] row : rows) {
      for (int site = 0; site < sites; site++) {
        row[site] = rng.nextInt(states);
      }
      for (int step = 0; step < steps; step++) {
        int site = rng.nextInt(sites);
        int proposed = rng.nextInt(states);
        double accepted = acceptance(row, site, proposed);
        if (accepted == 1 || rng.nextDouble() < accepted) {
          row[site] = proposed;
        }
      }
    }
    return rows;
  }

  private double acceptance(int[] row, int site, int proposed) {
    int change = 0;
    for (int neighbour : neighbours[site]) {
      change += row[neighbour] == proposed ? 1 : 0;
      change -= row[neighbour] == row[site] ? 1 : 0;
    }
    return acceptance[change + MAX_NEIGHBOURS];
  }

  /**
   * Returns the exact distribution after {@code steps}, over all rows in the order of {@code
   * Space.enumerate}.
   *
   * <p>Relabelling the states changes neither the uniform start nor a step, so rows that differ in
   * labels alone are equally likely. It is enough to follow one of them, the one whose labels
   * appear in the order 0, 1, 2, …: 18,002 of the 1,953,125 rows of 3 x 3 sites with 5 states. Cost
   * of a step: {@code D (K - 1)} products for each of these.
   */
  double[] distribution(int steps) {
    checkSteps(steps);
    if (lattice.space().cells() > MAX_CELLS) {
      throw new IllegalArgumentException(
          "a lattice of %d rows is too large to follow exactly; at most %d"
              .formatted(lattice.space().cells(), MAX_CELLS));
    }
    int[] patternOfCell = new int[(int) lattice.space().cells()];
    int[][] patterns = patterns(patternOfCell);
    int moves = sites * (states - 1);
    int[] target = new int[patterns.length * moves];
    double[] arriving = new double[target.length]; // probability of the move back from the target
    double[] staying = new double[patterns.length];
    Arrays.fill(staying, 1);
    for (int from = 0, move = 0; from < patterns.length; from++) {
      int[] row = patterns[from];
      for (int site = 0; site < sites; site++) {
        int own = row[site];
        for (int proposed = 0; proposed < states; proposed++) {
          if (proposed != own) {
            staying[from] -= acceptance(row, site, proposed) / (sites * states);
            row[site] = proposed;
            target[move] = patternOfCell[cell(row)];
            arriving[move++] = acceptance(row, site, own) / (sites * states);
            row[site] = own;
          }
        }
      }
    }

    double[] p = new double[patterns.length]; // of one row with this pattern
    Arrays.fill(p, 1.0 / patternOfCell.length);
    double[] next = new double[patterns.length];
    for (int step = 0; step < steps; step++) {
      for (int to = 0, move = 0; to < p.length; to++) {
        double sum = staying[to] * p[to];
        for (int end = move + moves; move < end; move++) {
          sum += arriving[move] * p[target[move]];
        }
        next[to] = sum;
      }
      double[] swap = p;
      p = next;
      next = swap;
    }
    double[] all = new double[patternOfCell.length];
    for (int cell = 0; cell < all.length; cell++) {
      all[cell] = p[patternOfCell[cell]];
    }
    return all;
  }

  /** Numbers the patterns, notes each cell's, and returns one row for each. */
  private int[][] patterns(int[] patternOfCell) {
    int[][] patterns = new int[patternOfCell.length][];
    int count = 0;
    int[] row = new int[sites];
    int[] relabelled = new int[sites];
    for (int cell = 0; cell < patternOfCell.length; cell++) {
      relabel(row, relabelled);
      // The relabelled row never comes later in the enumeration than the row itself.
      int first = cell(relabelled);
      if (first == cell) {
        patterns[count] = row.clone();
        patternOfCell[cell] = count++;
      } else {
        patternOfCell[cell] = patternOfCell[first];
      }
      for (int site = sites - 1; site >= 0 && ++row[site] == states; site--) {
        row[site] = 0;
      }
    }
    return Arrays.copyOf(patterns, count);
  }

  /** Renames the symbols in the order in which they appear. */
  private void relabel(int[] row, int[] relabelled) {
    int[] names = new int[states];
    Arrays.fill(names, -1);
    int used = 0;
    for (int site = 0; site < sites; site++) {
      if (names[row[site]] < 0) {
        names[row[site]] = used++;
      }
      relabelled[site] = names[row[site]];
    }
  }

  private int cell(int[] row) {
    int cell = 0;
    for (int symbol : row) {
      cell = cell * states + symbol;
    }
    return cell;
  }

  private static void checkSteps(int steps) {
    if (steps < 0) {
      throw new IllegalArgumentException("steps must be at least 0, but is " + steps);
    }
  }
}
