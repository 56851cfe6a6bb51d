package io.ringflow.internal.mixing;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What was counted in the training text of a model.
 *
 * @param predictor that has learned from it; copies continue from there
 * @param textHash SHA-256 of all that it has learned from
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CountedText(TextPredictor predictor, byte[] textHash) {
  private static final int VERSION = 3;

  private static final byte COUNTING = 1; // how texts are counted, for fingerprints
  private static final int HASH_BYTES = 32;

  /** SHA-256 of a model's fingerprint and of what was counted beside it. */
  public byte[] fingerprint(byte[] model) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(new byte[] {COUNTING, (byte) predictor.slotBits()});
      digest.update(model);
      return digest.digest(textHash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /** Writes all of it. */
  public void write(DataOutput out) throws IOException {
    out.writeInt(VERSION);
    out.writeInt(predictor.slotBits());
    out.write(textHash);
    predictor.write(out);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it is of another version, or of no valid size
   */
  public static CountedText read(DataInput in) throws IOException {
    int version = in.readInt();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "is of version " + version + ", but this Ringflow reads " + VERSION);
    }
    int slotBits = in.readInt();
    byte[] textHash = new byte[HASH_BYTES];
    in.readFully(textHash);
    return new CountedText(TextPredictor.read(slotBits, in), textHash);
  }
}
