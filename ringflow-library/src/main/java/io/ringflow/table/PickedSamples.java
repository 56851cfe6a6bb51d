package io.ringflow.table;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Some of the weighted samples of a row, picked in proportion to their weights to be looked at
 * closely, and the standard error of an average over them. All of them if they are few.
 *
 * <p>The error has two causes. Samples are an accident: by the delta method, that the average
 * {@code m = sum w_i f_i} varies by {@code sum w_i^2 (f_i - m)^2}. And of n picks sample i gets
 * {@code n w_i} rounded up or down, which varies by {@code r (1 - r) / n^2} with the fraction r.
 * Both sums are over all samples; those over the picked ones, divided by the chance to be picked,
 * estimate them.
 */
final class PickedSamples {
  /**
   * With 99 % confidence, what N samples did not show is less than a share of {@code 4.6 / N} of
   * all that is possible, of which this is a third: values may be there that they speak against.
   */
  private static final double UNSEEN = 1.535;

  private final int[] picked;
  private final double[] shares; // of the picked ones, by pick
  private final double[] deviations; // what squared deviations of the picked ones count for
  private final double worth;

  private PickedSamples(int[] picked, double[] shares, double[] deviations, double worth) {
    this.picked = picked;
    this.shares = shares;
    this.deviations = deviations;
    this.worth = worth;
  }

  /**
   * Picks.
   *
   * @param logWeights of the samples; at least one is above 0
   * @param picks how many, of which heavy samples may be several
   */
  static PickedSamples of(double[] logWeights, int picks) {
    double all = RowCompletions.logSum(logWeights);
    double[] weights = Arrays.stream(logWeights).map(log -> Math.exp(log - all)).toArray();
    boolean takesAll = weights.length <= picks;
    double[] times = takesAll ? weights : rounded(weights, picks);
    int[] picked = IntStream.range(0, weights.length).filter(i -> times[i] > 0).toArray();
    double[] shares = new double[picked.length];
    double[] deviations = new double[picked.length];
    double variance = 0; // of the average if the values' were 1
    for (int i = 0, next = 0; i < weights.length; i++) {
      double expected = picks * weights[i];
      double rest = expected - Math.floor(expected);
      double own = weights[i] * weights[i] + (takesAll ? 0 : rest * (1 - rest) / picks / picks);
      variance += own;
      if (times[i] > 0) {
        shares[next] = takesAll ? weights[i] : times[i] / picks;
        deviations[next++] = takesAll ? own : own / Math.min(1, expected);
      }
    }
    return new PickedSamples(picked, shares, deviations, 1 / variance);
  }

  /** How often each sample is picked: in proportion to its weight, as evenly as can be. */
  private static double[] rounded(double[] weights, int picks) {
    double[] times = new double[weights.length];
    double passed = 0;
    int picked = 0;
    for (int i = 0; i < times.length; i++) {
      passed += picks * weights[i];
      while (picked < picks && picked + 0.5 < passed) {
        times[i]++;
        picked++;
      }
    }
    return times;
  }

  /** The indexes of the samples that were picked, each once; borrowed. */
  int[] picked() {
    return picked;
  }

  /** How many independent samples the average is worth. */
  double worth() {
    return worth;
  }

  /** Averages values of the picked samples, and says how far off that is. */
  final class Average {
    private final double[] means;
    private final double[] linear; // sums over what deviations count for
    private final double[] squares;

    /** Of so many values of each sample. */
    Average(int values) {
      means = new double[values];
      linear = new double[values];
      squares = new double[values];
    }

    /**
     * Adds the values of a picked sample.
     *
     * @param pick from 0, of {@link #picked}
     */
    void add(int pick, double[] values) {
      for (int k = 0; k < means.length; k++) {
        means[k] += shares[pick] * values[k];
        linear[k] += deviations[pick] * values[k];
        squares[k] += deviations[pick] * values[k] * values[k];
      }
    }

    /** The averages. */
    double[] means() {
      return means.clone();
    }

    /**
     * The standard errors of averages of probabilities, at most 1: with a part for what the samples
     * that were looked at did not show, so that they are never 0.
     */
    double[] standardErrors() {
      double constant = Arrays.stream(deviations).sum();
      double fewer = worth / Math.max(1, worth - 1); // deviations are from the samples' own average
      double[] errors = new double[means.length];
      for (int k = 0; k < errors.length; k++) {
        double variance = squares[k] - 2 * means[k] * linear[k] + means[k] * means[k] * constant;
        errors[k] =
            Math.min(1, Math.hypot(Math.sqrt(Math.max(0, variance) * fewer), UNSEEN / worth));
      }
      return errors;
    }
  }
}
