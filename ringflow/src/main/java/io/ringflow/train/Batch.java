package io.ringflow.train;

/**
 * The rows of one training step.
 *
 * @param rows of the model's space
 * @param given one for each row, or none for an unconditional model
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Batch(int[][] rows, int[][] given) {
  private static final int[][] NOTHING = {};

  /** Rows of an unconditional model. */
  public static Batch of(int[][] rows) {
    return new Batch(rows, NOTHING);
  }
}
