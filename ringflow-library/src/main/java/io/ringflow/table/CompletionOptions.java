package io.ringflow.table;

import io.ringflow.internal.checks.Checks;

/**
 * How to fill the missing cells of a table.
 *
 * @param draws 0 for the most likely values; else how many times to sample them, for multiple
 *     imputation
 * @param samples of each row with too many completions to look at all; at least 8 for each draw are
 *     made
 * @param seed of the samples: the same seed gives the same cells
 */
public record CompletionOptions(int draws, int samples, long seed) {
  /** The most likely values, out of 128 samples where there are too many, seed 1. */
  public static final CompletionOptions DEFAULTS = new CompletionOptions(0, 128, 1);

  private static final int MAX_DRAWS = 1000;
  private static final int MIN_SAMPLES = 16;
  private static final int MAX_SAMPLES = 1 << 16;
  private static final int SAMPLES_PER_DRAW = 8;

  /** Checks the bounds. */
  public CompletionOptions {
    Checks.inRange("draws", draws, 0, MAX_DRAWS);
    Checks.inRange("samples", samples, MIN_SAMPLES, MAX_SAMPLES);
  }

  /** With another number of draws. */
  public CompletionOptions withDraws(int draws) {
    return new CompletionOptions(draws, samples, seed);
  }

  /** With another number of samples. */
  public CompletionOptions withSamples(int samples) {
    return new CompletionOptions(draws, samples, seed);
  }

  /** With another seed. */
  public CompletionOptions withSeed(long seed) {
    return new CompletionOptions(draws, samples, seed);
  }

  int samplesPerRow() {
    return Math.max(samples, SAMPLES_PER_DRAW * draws);
  }
}
