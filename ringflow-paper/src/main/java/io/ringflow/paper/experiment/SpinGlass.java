package io.ringflow.paper.experiment;

import io.ringflow.infer.FactorGraph;
import io.ringflow.infer.SpinModels;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * An instance of the Sherrington-Kirkpatrick model, solved for every temperature by the energies of
 * all its states. State i has spin up at a site where i has a bit.
 */
final class SpinGlass {
  private static final int BLOCK = 1 << 12;

  private final int sites;
  private final double[] weights; // the log-weight of each state at beta 1

  SpinGlass(int sites, long instance) {
    this.sites = sites;
    this.weights = new double[1 << sites];
    FactorGraph graph = SpinModels.sherringtonKirkpatrick(sites, 1, instance);
    for (int start = 0; start < weights.length; start += BLOCK) {
      int[][] rows = new int[Math.min(BLOCK, weights.length)][];
      int first = start;
      Arrays.setAll(rows, i -> row(first + i));
      double[] logs = graph.logWeights(rows);
      System.arraycopy(logs, 0, weights, start, logs.length);
    }
  }

  int[] row(int state) {
    int[] row = new int[sites];
    Arrays.setAll(row, site -> (state >> site) & 1);
    return row;
  }

  int state(int[] row) {
    int state = 0;
    for (int site = 0; site < row.length; site++) {
      state |= row[site] << site;
    }
    return state;
  }

  double logPartition(double beta) {
    double largest = beta * Arrays.stream(weights).max().orElseThrow();
    return largest
        + Math.log(Arrays.stream(weights).map(weight -> Math.exp(beta * weight - largest)).sum());
  }

  /** The states that no flip of one spin makes likelier, with more than a share of the weight. */
  int[] modes(double beta, double share) {
    double lowest = (logPartition(beta) + Math.log(share)) / beta;
    return IntStream.range(0, weights.length)
        .filter(state -> weights[state] > lowest && isLocalMaximum(state))
        .toArray();
  }

  private boolean isLocalMaximum(int state) {
    for (int site = 0; site < sites; site++) {
      if (weights[state ^ (1 << site)] > weights[state]) {
        return false;
      }
    }
    return true;
  }

  /** How many of some states occur among rows. */
  int found(int[] modes, int[][] rows) {
    boolean[] seen = new boolean[weights.length];
    for (int[] row : rows) {
      seen[state(row)] = true;
    }
    return (int) Arrays.stream(modes).filter(mode -> seen[mode]).count();
  }
}
