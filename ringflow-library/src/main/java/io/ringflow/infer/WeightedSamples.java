package io.ringflow.infer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Independent samples of a model beside a target's weights of them: importance sampling, whose
 * estimates need no more than that the model can make every row that is possible.
 *
 * <pre>
 *   Z = E_q[w(x) / q(x)]        E_p[f] = E_q[f(x) w(x) / q(x)] / Z
 * </pre>
 *
 * <p>The densities q are exact, so that {@code exp(logZ)} is unbiased. Standard errors are
 * estimated from the same samples: they are to be believed where {@link #ess} is not small and
 * {@link #tailIndex} is below 0.7.
 */
public final class WeightedSamples {
  private static final int MIN_EFFECTIVE = 100;
  private static final double MAX_TAIL_INDEX = 0.7;

  private final int[][] rows;
  private final double[] logWeights;
  private final double[] logRatios; // log w - log q
  private final double largest; // of the ratios
  private final double[] ratios; // relative to the largest
  private final double sum; // of those

  /**
   * Samples.
   *
   * @param rows of the model, drawn independently
   * @param logWeights of the target
   * @param logProbs of the model
   */
  public WeightedSamples(int[][] rows, double[] logWeights, double[] logProbs) {
    if (rows.length < 2 || logWeights.length != rows.length || logProbs.length != rows.length) {
      throw new IllegalArgumentException(
          "needs at least 2 rows with a log-weight and a log-probability each, but got %d, %d and %d"
              .formatted(rows.length, logWeights.length, logProbs.length));
    }
    this.rows = rows;
    this.logWeights = logWeights.clone();
    this.logRatios = new double[rows.length];
    Arrays.setAll(logRatios, i -> logWeights[i] - logProbs[i]);
    this.largest = Arrays.stream(logRatios).max().orElseThrow();
    this.ratios = new double[rows.length];
    if (isPossible()) {
      Arrays.setAll(ratios, i -> Math.exp(logRatios[i] - largest));
    }
    this.sum = Arrays.stream(ratios).sum();
  }

  /** How many there are. */
  public int size() {
    return rows.length;
  }

  /** The rows, as the model drew them; not to be changed. */
  public int[][] rows() {
    return rows;
  }

  /**
   * The logarithm of each row's ratio of weight and probability, {@code log w - log q}: all are
   * {@code log Z} where model and target are the same.
   */
  public double[] logRatios() {
    return logRatios.clone();
  }

  /** Whether any of the rows has a weight. */
  private boolean isPossible() {
    return largest > Double.NEGATIVE_INFINITY;
  }

  /** The share of rows that the target calls impossible. */
  public double impossibleShare() {
    return (double) Arrays.stream(logRatios).filter(Double::isInfinite).count() / size();
  }

  /**
   * The variational bound: what {@code log Z} is at least, in expectation. Of a model that makes
   * impossible rows, it is the bound of what is left of it without them.
   */
  public Estimate bound() {
    double[] possible = Arrays.stream(logRatios).filter(Double::isFinite).toArray();
    if (possible.length == 0) {
      return new Estimate(Double.NEGATIVE_INFINITY, Double.NaN);
    }
    double mean = Arrays.stream(possible).average().orElseThrow();
    double squares = Arrays.stream(possible).map(x -> (x - mean) * (x - mean)).sum();
    double variance = squares / Math.max(1, possible.length - 1) / possible.length;
    // The share of possible rows is estimated too, by a count.
    double share = (double) possible.length / size();
    double shareVariance = (1 - share) / share / size();
    return new Estimate(mean + Math.log(share), Math.sqrt(variance + shareVariance));
  }

  /** The logarithm of the sum of all weights. */
  public Estimate logZ() {
    if (!isPossible()) {
      return new Estimate(Double.NEGATIVE_INFINITY, Double.NaN);
    }
    double mean = sum / size();
    double squares = Arrays.stream(ratios).map(x -> (x - mean) * (x - mean)).sum();
    double error = Math.sqrt(squares / (size() - 1) / size()) / mean;
    return new Estimate(largest + Math.log(mean), error);
  }

  /**
   * The effective sample size by the number of samples, ESS/M: how many independent samples of the
   * target each of these is worth, 1 where model and target are the same.
   */
  public double ess() {
    double squares = Arrays.stream(ratios).map(x -> x * x).sum();
    return isPossible() ? sum * sum / squares / size() : 0;
  }

  /**
   * The shape of the largest weights' tail, by a generalised Pareto distribution (Vehtari et al.,
   * Pareto smoothed importance sampling): above 0.5 their variance is infinite, and above 0.7
   * nothing estimated from them should be trusted.
   */
  public double tailIndex() {
    return isPossible() ? ParetoTail.index(ratios) : Double.POSITIVE_INFINITY;
  }

  /**
   * Why estimates from these samples should not be trusted, a sentence each; empty where nothing
   * speaks against them. (A mode that no sample has found leaves no trace in the weights: nothing
   * that is estimated from samples can tell of it.)
   */
  public List<String> doubts() {
    if (!isPossible()) {
      return List.of("none of the samples is possible: the model has not found the target");
    }
    List<String> doubts = new ArrayList<>();
    double effective = ess() * size();
    if (effective < MIN_EFFECTIVE) {
      doubts.add(
          String.format(
              Locale.ROOT,
              "the samples are worth %.1f independent ones, and %d are few: train longer, or draw more",
              effective,
              MIN_EFFECTIVE));
    }
    double tail = tailIndex();
    if (tail > MAX_TAIL_INDEX) {
      doubts.add(
          String.format(
              Locale.ROOT,
              "a few weights outweigh the others (tail index %.2f, above %.1f): errors are larger than"
                  + " they say",
              tail,
              MAX_TAIL_INDEX));
    }
    return doubts;
  }

  /** The mean of a function under the target. */
  public Estimate expectation(ToDoubleFunction<int[]> function) {
    double[] values = Arrays.stream(rows).mapToDouble(function).toArray();
    double mean = IntStream.range(0, size()).mapToDouble(i -> ratios[i] * values[i]).sum() / sum;
    double squares = 0;
    for (int i = 0; i < values.length; i++) {
      double part = ratios[i] * (values[i] - mean);
      squares += part * part;
    }
    return new Estimate(mean, Math.sqrt(squares) / sum);
  }

  /** The probability of a symbol at a position, under the target. */
  public Estimate probability(int position, int symbol) {
    return expectation(row -> row[position] == symbol ? 1 : 0);
  }

  /** The different rows with the largest weights, the largest first. */
  public List<int[]> likeliest(int count) {
    List<int[]> found = new ArrayList<>();
    IntStream.range(0, size())
        .boxed()
        .sorted(Comparator.comparingDouble((Integer i) -> logWeights[i]).reversed())
        .map(i -> rows[i])
        .takeWhile(row -> found.size() < count)
        .forEach(
            row -> {
              if (found.stream().noneMatch(other -> Arrays.equals(other, row))) {
                found.add(row);
              }
            });
    return found;
  }

  /**
   * Samples of the target, nearly: rows drawn from these by their ratios. Rows may repeat; the more
   * of them are drawn of the fewer effective ones, the more do.
   *
   * @throws IllegalStateException if none of the rows is possible
   */
  public int[][] resampled(int count, long seed) {
    requirePossible();
    double[] cumulative = ratios.clone();
    Arrays.parallelPrefix(cumulative, Double::sum);
    SplittableRandom random = new SplittableRandom(seed);
    int[][] result = new int[count][];
    for (int i = 0; i < count; i++) {
      int found = Arrays.binarySearch(cumulative, random.nextDouble() * cumulative[size() - 1]);
      int index = Math.min(found < 0 ? -found - 1 : found + 1, size() - 1);
      while (ratios[index] == 0) {
        index--; // rounding only
      }
      result[i] = rows[index];
    }
    return result;
  }

  /**
   * A Markov chain whose distribution is exactly the target's in the long run.
   *
   * @param rows the states, one after the other; a proposal that was refused repeats the last
   * @param acceptance the share of proposals that were taken
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Chain(int[][] rows, double acceptance) {}

  /**
   * The Metropolis chain whose proposals are these samples, one after the other.
   *
   * @throws IllegalStateException if none of the rows is possible
   */
  public Chain metropolis(long seed) {
    requirePossible();
    SplittableRandom random = new SplittableRandom(seed);
    int[][] states = new int[size()][];
    states[0] = rows[0];
    int at = 0;
    int taken = 0;
    for (int i = 1; i < size(); i++) {
      double uniform = random.nextDouble();
      boolean lost = logRatios[at] == Double.NEGATIVE_INFINITY;
      if (lost || Math.log(uniform) < logRatios[i] - logRatios[at]) {
        at = i;
        taken++;
      }
      states[i] = rows[at];
    }
    return new Chain(states, (double) taken / (size() - 1));
  }

  private void requirePossible() {
    if (!isPossible()) {
      throw new IllegalStateException(
          "none of " + size() + " samples has a weight: the model has not found the target");
    }
  }
}
