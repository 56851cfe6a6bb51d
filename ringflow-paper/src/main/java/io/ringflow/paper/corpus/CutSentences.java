package io.ringflow.paper.corpus;

import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Sentences of which many begin somewhere in their middle, for a network that would soon know them
 * by heart: what stands at a position is new each time.
 *
 * <p>At the first step all are cut, at the last step none, and in between as large a share as is
 * left of the training: nothing of it remains in how a model expects a sentence to begin.
 */
public final class CutSentences implements Batches {
  private final Batches whole;
  private final int end;
  private final int padding;
  private final long seed;

  /**
   * Cuts sentences.
   *
   * @param whole rows, each a sentence, its end and padding
   * @param end the symbol behind a sentence
   * @param padding the symbol that fills a row
   */
  public CutSentences(Batches whole, int end, int padding, long seed) {
    this.whole = whole;
    this.end = end;
    this.padding = padding;
    this.seed = seed;
  }

  /** Whole sentences, as at the end of a training. */
  @Override
  public Batch batch(long step) {
    return whole.batch(step);
  }

  @Override
  public Batch batch(long step, double share) {
    RandomGenerator random = Batches.random(seed, step);
    int[][] rows = whole.batch(step).rows();
    int[][] cut = new int[rows.length][];
    for (int i = 0; i < rows.length; i++) {
      boolean whether = random.nextDouble() >= share;
      double where = random.nextDouble();
      cut[i] = whether ? from(rows[i], where) : rows[i];
    }
    return Batch.of(cut);
  }

  /** A sentence without so large a share of its characters, which are its first. */
  private int[] from(int[] row, double share) {
    int length = 0;
    while (row[length] != end) {
      length++;
    }
    int first = (int) (share * length);
    int[] rest = Arrays.copyOfRange(row, first, first + row.length);
    Arrays.fill(rest, row.length - first, row.length, padding);
    return rest;
  }

  @Override
  public byte[] state() {
    return whole.state();
  }

  @Override
  public void restore(byte[] state) {
    whole.restore(state);
  }

  @Override
  public String description() {
    return whole.description() + ", sentences cut at random at first";
  }
}
