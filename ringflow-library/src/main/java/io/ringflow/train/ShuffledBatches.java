package io.ringflow.train;

import java.util.random.RandomGenerator;

/** Epochs over rows in memory; the order of an epoch follows from the seed and its number. */
final class ShuffledBatches implements Batches {
  private final Batch all;
  private final int batchSize;
  private final long seed;
  private long orderedEpoch = -1;
  private int[] order;

  ShuffledBatches(Batch all, int batchSize, long seed) {
    if (all.rows().length == 0) {
      throw new IllegalArgumentException("there are no rows to train on");
    }
    if (batchSize < 1) {
      throw new IllegalArgumentException("batchSize must be at least 1, but is " + batchSize);
    }
    if (all.condition().length > 0 && all.condition().length != all.rows().length) {
      throw new IllegalArgumentException(
          all.rows().length + " rows, but " + all.condition().length + " given rows");
    }
    this.all = all;
    this.batchSize = Math.min(batchSize, all.rows().length);
    this.seed = seed;
  }

  /** A batch may straddle two epochs: every row is seen once before any is seen again. */
  @Override
  public synchronized Batch batch(long step) {
    boolean conditional = all.condition().length > 0;
    int[][] rows = new int[batchSize][];
    int[][] condition = new int[conditional ? batchSize : 0][];
    for (int i = 0; i < batchSize; i++) {
      long index = step * batchSize + i;
      int row = order(index / all.rows().length)[(int) (index % all.rows().length)];
      rows[i] = all.rows()[row];
      if (conditional) {
        condition[i] = all.condition()[row];
      }
    }
    return new Batch(rows, condition);
  }

  @Override
  public String description() {
    return String.format(
        "%d rows, batches of %d, shuffled by seed %d, SHA-256 %s",
        all.rows().length, batchSize, seed, all.sha256());
  }

  private int[] order(long epoch) {
    if (epoch != orderedEpoch) {
      int[] shuffled = new int[all.rows().length];
      RandomGenerator random = Batches.random(seed, epoch);
      for (int i = 0; i < shuffled.length; i++) {
        int j = random.nextInt(i + 1);
        shuffled[i] = shuffled[j];
        shuffled[j] = i;
      }
      order = shuffled;
      orderedEpoch = epoch;
    }
    return order;
  }
}
