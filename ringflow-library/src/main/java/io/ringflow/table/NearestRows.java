package io.ringflow.table;

import io.ringflow.core.ProgressListener;
import io.ringflow.model.Provenance;
import io.ringflow.train.Batches;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How near samples come to the rows that a model learned from, beside how near rows come that it
 * did not learn from: where samples come nearer, the model repeats what it should not tell.
 *
 * <p>The distance of two rows is the number of columns in which they differ; numbers of one bin,
 * and rare values of one column, are alike.
 *
 * @param samples how many samples have their nearest row at each distance, from 0 on
 * @param heldOut how many held-out rows do
 * @param trainingRows that were searched: all
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NearestRows(int[] samples, int[] heldOut, int trainingRows) {
  private static final int MAX_ROWS = 1000;

  /** Rows that are compared with each other in all: a few seconds. */
  private static final long MAX_PAIRS = 400_000_000;

  /** Training rows between two reports of progress. */
  private static final int BLOCK = 4096;

  /**
   * Searches for the nearest training rows of samples and of held-out rows: up to 1,000 of each,
   * and fewer where the table is large.
   *
   * @param table all rows of training, in their order
   * @param samples of the model, at least one
   * @param progress in training rows
   * @return empty if the model was not trained on this table, or does not say on what; or where
   *     missing values are summed out, because rows of which some are missing have no distance
   * @throws java.util.concurrent.CancellationException if the thread is interrupted
   */
  public static Optional<NearestRows> of(
      TableModel model,
      TableCodec.Encoded table,
      TableCodec.Encoded samples,
      ProgressListener progress) {
    Provenance provenance = model.flow().provenance().orElse(null);
    if (provenance == null
        || provenance.fit() == null
        || table.size() != model.codec().trainingRows()
        || IntStream.range(0, table.size()).anyMatch(row -> !table.missing(row).isEmpty())) {
      return Optional.empty();
    }
    TrainingSplit split = TrainingSplit.of(table.size(), provenance.fit().seed());
    int[][] training = TrainingSplit.select(table.symbols(), split.training());
    if (!provenance.data().endsWith(digest(training))) {
      return Optional.empty();
    }
    int most = (int) Math.max(1, Math.min(MAX_ROWS, MAX_PAIRS / 2 / training.length));
    int[][] heldOut = TrainingSplit.select(table.symbols(), split.heldOut());
    int[][] own = first(samples.symbols(), most);
    int[][] others = first(heldOut, most);
    int[] nearest = nearest(concat(own, others), training, progress.untilInterrupted());
    int columns = model.codec().columns().size();
    return Optional.of(
        new NearestRows(
            histogram(nearest, 0, own.length, columns),
            histogram(nearest, own.length, nearest.length, columns),
            training.length));
  }

  /** What provenance ends with, whatever the size of batches was. */
  private static String digest(int[][] training) {
    String description = Batches.shuffled(training, 1, 0).description();
    return description.substring(description.lastIndexOf(' '));
  }

  private static int[][] first(int[][] rows, int most) {
    return Arrays.copyOf(rows, Math.min(most, rows.length));
  }

  private static int[][] concat(int[][] first, int[][] second) {
    int[][] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** The smallest distance of each row; training rows outside, so that they are read once. */
  static int[] nearest(int[][] rows, int[][] training, ProgressListener progress) {
    int[] nearest = new int[rows.length];
    Arrays.fill(nearest, Integer.MAX_VALUE);
    for (int from = 0; from < training.length; from += BLOCK) {
      int to = Math.min(training.length, from + BLOCK);
      for (int n = from; n < to; n++) {
        for (int i = 0; i < rows.length; i++) {
          nearest[i] = Math.min(nearest[i], distance(rows[i], training[n], nearest[i]));
        }
      }
      progress.done(to, training.length);
    }
    return nearest;
  }

  /** At most so much: most rows are found to be farther than another after few columns. */
  private static int distance(int[] row, int[] other, int most) {
    int distance = 0;
    for (int d = 0; d < row.length && distance < most; d++) {
      if (row[d] != other[d]) {
        distance++;
      }
    }
    return distance;
  }

  private static int[] histogram(int[] distances, int from, int to, int columns) {
    int[] counts = new int[columns + 1];
    Arrays.stream(distances, from, to).forEach(distance -> counts[distance]++);
    return counts;
  }

  /** The share of samples that are no different from a training row, 0 to 1. */
  public double copiedSamples() {
    return copied(samples);
  }

  /** The share of held-out rows that are no different from a training row, 0 to 1. */
  public double copiedHeldOut() {
    return copied(heldOut);
  }

  private static double copied(int[] counts) {
    return counts[0] / (double) Arrays.stream(counts).sum();
  }
}
