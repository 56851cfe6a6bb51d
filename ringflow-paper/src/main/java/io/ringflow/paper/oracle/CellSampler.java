package io.ringflow.paper.oracle;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Samples cells of a table by their probabilities; a cell of probability 0 never.
 *
 * <p>Beside the table it keeps a sum for every sixteenth cell. A cell costs a binary search among
 * these, and sixteen cells.
 */
final class CellSampler {
  private static final int RUN = 16;

  private final double[] p;
  private final double[] before; // the probability before each run of cells, and the total
  private final int lastPossible;

  /**
   * A sampler.
   *
   * @param p of each cell; borrowed
   */
  CellSampler(double[] p) {
    this.p = p;
    before = new double[(p.length + RUN - 1) / RUN + 1];
    var soFar = new CompensatedSum();
    int last = 0;
    for (int cell = 0; cell < p.length; cell++) {
      soFar.add(p[cell]);
      before[cell / RUN + 1] = soFar.value();
      last = p[cell] > 0 ? cell : last;
    }
    lastPossible = last;
  }

  int sample(RandomGenerator rng) {
    double point = rng.nextDouble() * before[before.length - 1];
    int found = Arrays.binarySearch(before, point);
    int run = found >= 0 ? found : -found - 2;
    double rest = point - before[run];
    for (int cell = run * RUN; cell < lastPossible; cell++) {
      rest -= p[cell];
      if (rest < 0) {
        return cell;
      }
    }
    return lastPossible; // also where rounding leaves a rest
  }
}
