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
 * @param targetGradient none, except for {@link io.ringflow.core.Objective#PATHWISE}, where rows
 *     are the base's: what the target's log-weight would be with each symbol at each position of
 *     the rows that the layers make of these, up to a constant a position; {@code [row, position,
 *     symbol]} one after the other
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Batch(int[][] rows, int[][] condition, double[] weights, double[] targetGradient) {
  private static final int[][] NOTHING = {};
  private static final double[] NONE = {};

  /** What may be left of differences between log-probabilities that are the same, in nats. */
  private static final double ROUNDING = 1e-9;

  /** Checks that there are as many weights as rows, all finite. */
  public Batch {
    if (weights.length > 0 && weights.length != rows.length) {
      throw new IllegalArgumentException(rows.length + " rows, but " + weights.length + " weights");
    }
    requireFinite("weights", weights);
    requireFinite("targetGradient", targetGradient);
  }

  private static void requireFinite(String name, double[] values) {
    for (double value : values) {
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException(name + " must be finite, but one is " + value);
      }
    }
  }

  /** Rows that all count the same. */
  public Batch(int[][] rows, int[][] condition) {
    this(rows, condition, NONE, NONE);
  }

  /** Rows of an unconditional model. */
  public static Batch of(int[][] rows) {
    return new Batch(rows, NOTHING);
  }

  /** Rows of an unconditional model, some of which count more. */
  public static Batch weighted(int[][] rows, double[] weights) {
    return new Batch(rows, NOTHING, weights, NONE);
  }

  /**
   * Rows of the base of an unconditional model, and the gradient of a target at what the layers
   * make of them.
   */
  public static Batch pathwise(int[][] baseRows, double[] weights, double[] targetGradient) {
    return new Batch(baseRows, NOTHING, weights, targetGradient);
  }

  private int gradientPerRow() {
    return rows.length == 0 ? 0 : targetGradient.length / rows.length;
  }

  boolean isWeighted() {
    return weights.length > 0;
  }

  /**
   * Whether the model is right about these rows: none is to become likelier or less likely than it
   * is.
   */
  boolean isSatisfied() {
    return isWeighted()
        && targetGradient.length == 0
        && Arrays.stream(weights).allMatch(weight -> Math.abs(weight) < ROUNDING);
  }

  /** The rows {@code from <= i < to}, with what they are given. */
  Batch part(int from, int to) {
    return new Batch(
        Arrays.copyOfRange(rows, from, to),
        condition.length == 0 ? condition : Arrays.copyOfRange(condition, from, to),
        isWeighted() ? Arrays.copyOfRange(weights, from, to) : weights,
        Arrays.copyOfRange(targetGradient, from * gradientPerRow(), to * gradientPerRow()));
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
