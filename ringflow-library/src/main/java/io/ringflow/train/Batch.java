package io.ringflow.train;

import io.ringflow.internal.store.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * The rows of one training step.
 *
 * @param rows of the model's space
 * @param condition one for each row, or none for an unconditional model
 * @param weights what each row's log-probability is multiplied with in the objective, one for each
 *     row and of either sign; or none where all count the same
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Batch(int[][] rows, int[][] condition, double[] weights) {
  private static final int[][] NOTHING = {};
  private static final double[] EQUAL = {};

  /** Checks that there are as many weights as rows, all finite. */
  public Batch {
    if (weights.length > 0 && weights.length != rows.length) {
      throw new IllegalArgumentException(rows.length + " rows, but " + weights.length + " weights");
    }
    for (double weight : weights) {
      if (!Double.isFinite(weight)) {
        throw new IllegalArgumentException("weights must be finite, but one is " + weight);
      }
    }
  }

  /** Rows that all count the same. */
  public Batch(int[][] rows, int[][] condition) {
    this(rows, condition, EQUAL);
  }

  /** Rows of an unconditional model. */
  public static Batch of(int[][] rows) {
    return new Batch(rows, NOTHING);
  }

  /** Rows of an unconditional model, some of which count more. */
  public static Batch weighted(int[][] rows, double[] weights) {
    return new Batch(rows, NOTHING, weights);
  }

  boolean isWeighted() {
    return weights.length > 0;
  }

  /** The rows {@code from <= i < to}, with what they are given. */
  Batch part(int from, int to) {
    return new Batch(
        Arrays.copyOfRange(rows, from, to),
        condition.length == 0 ? condition : Arrays.copyOfRange(condition, from, to),
        isWeighted() ? Arrays.copyOfRange(weights, from, to) : weights);
  }

  /** A fingerprint of all rows and what they are given. */
  String sha256() {
    MessageDigest digest = Sha256.digest();
    digest(rows, digest);
    digest(condition, digest);
    return Sha256.hex(digest);
  }

  /** Lengths come before contents, so that no two lists of rows give the same bytes. */
  private static void digest(int[][] rows, MessageDigest digest) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, rows.length));
    for (int[] row : rows) {
      ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * (1 + row.length));
      bytes.putInt(row.length).asIntBuffer().put(row);
      digest.update(bytes.rewind());
    }
  }
}
