package io.ringflow.table;

import io.ringflow.internal.checks.Checks;

/**
 * How well to estimate a probability that is not summed up exactly.
 *
 * @param tolerance the standard error to reach, as a share of the probability; 0 for exact sums
 *     alone, which may take long, or fail where they would be too long
 * @param maxSamples after which an estimate ends, whatever its error
 * @param seed of the samples: the same seed gives the same estimate
 */
public record ProbabilityOptions(double tolerance, int maxSamples, long seed) {
  /** One percent, at most 20,000 samples, seed 1. */
  public static final ProbabilityOptions DEFAULTS = new ProbabilityOptions(0.01, 20_000, 1);

  private static final int MIN_SAMPLES = 128;

  /** Checks the bounds. */
  public ProbabilityOptions {
    if (!(tolerance >= 0 && tolerance < 1)) {
      throw new IllegalArgumentException(
          "tolerance must be at least 0 and below 1, but is " + tolerance);
    }
    Checks.atLeast("maxSamples", maxSamples, MIN_SAMPLES);
  }

  /** With another tolerance, such as 0.05. */
  public ProbabilityOptions withTolerance(double tolerance) {
    return new ProbabilityOptions(tolerance, maxSamples, seed);
  }

  /** With another bound on the samples. */
  public ProbabilityOptions withMaxSamples(int maxSamples) {
    return new ProbabilityOptions(tolerance, maxSamples, seed);
  }

  /** With another seed. */
  public ProbabilityOptions withSeed(long seed) {
    return new ProbabilityOptions(tolerance, maxSamples, seed);
  }
}
