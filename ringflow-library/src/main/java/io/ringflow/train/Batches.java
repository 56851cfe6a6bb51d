package io.ringflow.train;

import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Training data: a batch for every step.
 *
 * <p>The same step must always give the same batch, whatever was asked before: that is what makes
 * resuming exact.
 */
@FunctionalInterface
public interface Batches {
  /**
   * The batch of a step.
   *
   * @param step from 0
   */
  Batch batch(long step);

  /**
   * The batch of a step, where it depends on how far the training is: that of the step alone unless
   * overridden.
   *
   * @param share of the training that is done, 0 to 1
   */
  default Batch batch(long step, double share) {
    return batch(step);
  }

  /**
   * What batches remember from one to the next, for a checkpoint: as many bytes at all times.
   * Nothing unless overridden, as a batch follows from the step alone.
   */
  default byte[] state() {
    return new byte[0];
  }

  /**
   * Continues from what was remembered.
   *
   * @param state of these batches, an earlier {@link #state()}
   */
  default void restore(byte[] state) {}

  /**
   * What the data is, for {@code training.json}. A checkpoint is resumed only where this is what it
   * was.
   */
  default String description() {
    return "not described";
  }

  /**
   * Goes through rows in a new random order each epoch.
   *
   * @param rows at least one
   * @param batchSize capped at the number of rows
   */
  static Batches shuffled(int[][] rows, int batchSize, long seed) {
    return shuffled(Batch.of(rows), batchSize, seed);
  }

  /** Goes through conditional rows in a new random order each epoch. */
  static Batches shuffled(Batch all, int batchSize, long seed) {
    return new ShuffledBatches(all, batchSize, seed);
  }

  /**
   * Samples fresh rows for every step.
   *
   * @param sampler makes a batch from random numbers
   */
  static Batches sampled(long seed, Function<RandomGenerator, int[][]> sampler) {
    return sampled("rows", seed, random -> Batch.of(sampler.apply(random)));
  }

  /**
   * Samples fresh batches for every step.
   *
   * @param what is sampled, such as {@code "512 pairs of 10 digits"}: tells this data from other
   *     data
   * @param sampler makes a batch from random numbers
   */
  static Batches sampled(String what, long seed, Function<RandomGenerator, Batch> sampler) {
    return new Batches() {
      @Override
      public Batch batch(long step) {
        return sampler.apply(random(seed, step));
      }

      @Override
      public String description() {
        return what + " sampled afresh, seed " + seed;
      }
    };
  }

  /** Random numbers that depend on a seed and a counter alone. */
  static RandomGenerator random(long seed, long counter) {
    // One odd constant spreads neighbouring counters over the generator's seeds, which it then
    // scrambles itself.
    return new SplittableRandom(seed ^ (counter + 1) * 0xD1342543DE82EF95L);
  }
}
