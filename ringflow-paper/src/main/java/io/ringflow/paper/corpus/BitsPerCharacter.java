package io.ringflow.paper.corpus;

import io.ringflow.distributed.ProcessGroup;
import io.ringflow.model.FlowModel;
import java.util.Arrays;
import java.util.concurrent.CancellationException;

/**
 * The measure of text models, the same for all of them: what a model needs to write down whole
 * rows, in bits, over the number of real characters in them.
 *
 * <p>Rows are scored each on its own, first character included; no context is carried from one to
 * the next. An end symbol is a real character, padding is not: what a model pays for padding counts
 * all the same, because only a whole row has a likelihood. Scores come from exact ids and networks
 * in float64.
 *
 * @param nats of all rows
 * @param characters real ones, in all rows
 */
public record BitsPerCharacter(double nats, long characters) {
  private static final int BLOCK = 1024;

  /** Checks that there is something to divide by. */
  public BitsPerCharacter {
    if (characters < 1) {
      throw new IllegalArgumentException("characters must be at least 1, but is " + characters);
    }
  }

  /**
   * Scores rows.
   *
   * @param rows of the model's space
   * @param characters real ones in them
   * @throws CancellationException if the thread is interrupted before the last row
   */
  public static BitsPerCharacter of(FlowModel model, int[][] rows, long characters) {
    return of(model, rows, characters, ProcessGroup.single());
  }

  /**
   * Scores rows, each by one process of a group; every process gets the result.
   *
   * @param rows of the model's space, the same on every process
   * @param characters real ones in them
   * @throws CancellationException if the thread is interrupted before its last row
   */
  public static BitsPerCharacter of(
      FlowModel model, int[][] rows, long characters, ProcessGroup group) {
    double sum = 0;
    for (double logProb : group.sharded(rows.length, (from, to) -> scores(model, rows, from, to))) {
      sum -= logProb;
    }
    return new BitsPerCharacter(sum, characters);
  }

  private static double[] scores(FlowModel model, int[][] rows, int first, int end) {
    double[] scores = new double[end - first];
    for (int from = first; from < end; from += BLOCK) {
      if (Thread.currentThread().isInterrupted()) {
        throw new CancellationException("interrupted"); // a corpus takes long
      }
      double[] block = model.logProb(Arrays.copyOfRange(rows, from, Math.min(end, from + BLOCK)));
      System.arraycopy(block, 0, scores, from - first, block.length);
    }
    return scores;
  }

  /** Bits per real character. */
  public double value() {
    return nats / characters / Math.log(2);
  }
}
