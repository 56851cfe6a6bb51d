package io.ringflow.network;

import java.util.Arrays;

/**
 * Frequencies of symbols in rows that few observations may have come to: {@code (c + a q) / (n +
 * a)} of a count c among the n of a row, where q is a prior that all rows help to know, and a the
 * number of observations that it is worth.
 *
 * <p>Which prior, and how much of it, is learned from the counts: the choice is the one by which
 * every observation is predicted best from all the others (leaving one out, which is a sum over
 * counts). There are two priors:
 *
 * <ul>
 *   <li>the coarser frequency, as of the same symbols whatever the row;
 *   <li>the same for all but the likeliest symbol of the row, which has a share of its own, common
 *       to all rows. So it is where rows have favourites: a column that is a function of another
 *       but for errors, say. What is left then follows the symbols that are nobody's favourites.
 * </ul>
 *
 * <p>An observation does not vouch for itself there: a favourite must be ahead without it.
 */
final class SmoothedCounts {
  private static final double MIN_WORTH = 0.25;
  private static final double MAX_WORTH = 2048;

  private final double[][] counts;
  private final double[][] coarser;
  private final double[] totals;
  private final int[] favourites; // of each row
  private final int[] seconds; // the likeliest but for the favourite; itself where there is none
  private final double[] others; // counts of symbols in rows whose favourite they are not
  private final double allOthers;
  private final double share; // of favourites

  private SmoothedCounts(double[][] counts, double[][] coarser) {
    this.counts = counts;
    this.coarser = coarser;
    int symbols = coarser[0].length;
    totals = new double[counts.length];
    favourites = new int[counts.length];
    seconds = new int[counts.length];
    others = new double[symbols];
    double ahead = 0;
    double all = 0;
    for (int row = 0; row < counts.length; row++) {
      double[] own = counts[row];
      totals[row] = Arrays.stream(own).sum();
      favourites[row] = max(own, -1);
      seconds[row] = symbols == 1 ? 0 : max(own, favourites[row]);
      for (int k = 0; k < symbols; k++) {
        others[k] += k == favourites[row] ? 0 : own[k];
      }
      ahead += isAheadWithout(row) ? own[favourites[row]] : 0;
      all += totals[row];
    }
    allOthers = Arrays.stream(others).sum();
    share = (ahead + 1) / (all + 2);
  }

  /**
   * Smooths counts.
   *
   * @param counts {@code [rows][symbols]}, perhaps fractions
   * @param coarser {@code [rows][symbols]}: positive frequencies, from which many rows differ
   *     little
   * @return {@code [rows][symbols]}: positive, with a sum of 1 in each row
   */
  static double[][] of(double[][] counts, double[][] coarser) {
    var smoothed = new SmoothedCounts(counts, coarser);
    boolean bestFavouring = false;
    double bestWorth = MIN_WORTH;
    double best = Double.NEGATIVE_INFINITY;
    for (boolean favouring : new boolean[] {false, true}) {
      for (double worth = MIN_WORTH; worth <= MAX_WORTH; worth *= 2) {
        double nats = smoothed.leavingOneOut(favouring, worth);
        if (nats > best) {
          best = nats;
          bestFavouring = favouring;
          bestWorth = worth;
        }
      }
    }
    return smoothed.frequencies(bestFavouring, bestWorth);
  }

  private static int max(double[] counts, int but) {
    int max = but == 0 ? 1 : 0;
    for (int k = max + 1; k < counts.length; k++) {
      if (k != but && counts[k] > counts[max]) {
        max = k;
      }
    }
    return max;
  }

  /** Whether the favourite would be one with an observation less. */
  private boolean isAheadWithout(int row) {
    double second = favourites[row] == seconds[row] ? 0 : counts[row][seconds[row]];
    return counts[row][favourites[row]] - 1 > second;
  }

  /** The log-probability of all observations, each by the others. */
  private double leavingOneOut(boolean favouring, double worth) {
    double sum = 0;
    for (int row = 0; row < counts.length; row++) {
      double rest = Math.max(0, totals[row] - 1) + worth;
      for (int k = 0; k < coarser[row].length; k++) {
        double count = counts[row][k];
        if (count > 0) {
          int favourite =
              k != favourites[row] || isAheadWithout(row) ? favourites[row] : seconds[row];
          double prior = favouring && totals[row] > 1 ? prior(row, k, favourite) : coarser[row][k];
          sum += count * Math.log((Math.max(0, count - 1) + worth * prior) / rest);
        }
      }
    }
    return sum;
  }

  /** The prior of a symbol in a row with a favourite. */
  private double prior(int row, int symbol, int favourite) {
    if (coarser[row].length == 1) {
      return 1;
    }
    if (symbol == favourite) {
      return share;
    }
    // The coarser frequencies are one observation more, so that nothing is impossible.
    double rest = allOthers - others[favourite] + 1 - coarser[row][favourite];
    return (1 - share) * (others[symbol] + coarser[row][symbol]) / rest;
  }

  private double[][] frequencies(boolean favouring, double worth) {
    double[][] frequencies = new double[counts.length][];
    for (int row = 0; row < counts.length; row++) {
      double[] own = new double[coarser[row].length];
      for (int k = 0; k < own.length; k++) {
        double prior =
            favouring && totals[row] > 0 ? prior(row, k, favourites[row]) : coarser[row][k];
        own[k] = (counts[row][k] + worth * prior) / (totals[row] + worth);
      }
      frequencies[row] = own;
    }
    return frequencies;
  }
}
