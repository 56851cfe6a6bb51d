package io.ringflow.text;

import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import java.util.random.RandomGenerator;

/** Batches of windows of a text, whose starts are sampled uniformly. */
record Windows(Text text, int batchSize, int length, long seed) implements Batches {
  @Override
  public Batch batch(long step) {
    RandomGenerator random = Batches.random(seed, step);
    int[][] rows = new int[batchSize][];
    for (int i = 0; i < batchSize; i++) {
      rows[i] = text.row(random.nextLong(text.length() - length + 1), length);
    }
    return Batch.of(rows);
  }

  @Override
  public String description() {
    return String.format(
        "a text of %s, batches of %d windows of %d sampled with seed %d, SHA-256 %s",
        text, batchSize, length, seed, text.sha256());
  }
}
