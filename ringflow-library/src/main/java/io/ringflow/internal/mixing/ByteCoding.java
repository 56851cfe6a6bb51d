package io.ringflow.internal.mixing;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Bytes coded by the probabilities of a {@link BytePredictor}, which learns from them. */
public final class ByteCoding {
  private static final int PIECE = 1 << 16;

  private ByteCoding() {}

  /** Returns the code of bytes. */
  public static byte[] encode(byte[] bytes, BytePredictor predictor, ProgressListener progress) {
    var encoder = new BinaryEncoder();
    for (int i = 0; i < bytes.length; i++) {
      if (i % PIECE == 0) {
        progress.done(i, bytes.length);
      }
      for (int shift = 7; shift >= 0; shift--) {
        int bit = (bytes[i] >> shift) & 1;
        encoder.encode(bit, predictor.probability());
        predictor.update(bit);
      }
    }
    progress.done(bytes.length, bytes.length);
    return encoder.finish();
  }

  /**
   * Gives back bytes. Takes memory for those that are really there, whatever their number is
   * claimed to be: a byte takes up at least 1/45,000 of a byte of code.
   *
   * @param predictor in the same state as when the bytes were coded
   */
  public static byte[] decode(
      byte[] code, int length, BytePredictor predictor, ProgressListener progress)
      throws CompressedFormatException {
    var decoder = new BinaryDecoder(code);
    byte[] bytes = new byte[Math.min(length, PIECE)];
    for (int i = 0; i < length; i++) {
      if (i % PIECE == 0) {
        progress.done(i, length);
      }
      if (i == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * bytes.length));
      }
      int value = 0;
      for (int shift = 7; shift >= 0; shift--) {
        int bit = decoder.decode(predictor.probability());
        predictor.update(bit);
        value = (value << 1) | bit;
      }
      bytes[i] = (byte) value;
    }
    decoder.finish();
    progress.done(length, length);
    return bytes;
  }

  /** How many bits bytes take, which is their information: the code is longer by what it rounds. */
  public static double bits(byte[] bytes, BytePredictor predictor, ProgressListener progress) {
    double nats = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (i % PIECE == 0) {
        progress.done(i, bytes.length);
      }
      for (int shift = 7; shift >= 0; shift--) {
        int bit = (bytes[i] >> shift) & 1;
        int one = predictor.probability();
        nats -= Math.log((bit == 1 ? one : Logistic.ONE - one) / (double) Logistic.ONE);
        predictor.update(bit);
      }
    }
    progress.done(bytes.length, bytes.length);
    return nats / Math.log(2);
  }

  /** Samples bytes from an index on, and learns from them. */
  public static void sample(
      byte[] bytes, int from, BytePredictor predictor, SplittableRandom random) {
    for (int i = from; i < bytes.length; i++) {
      int value = 0;
      for (int shift = 7; shift >= 0; shift--) {
        int bit = random.nextInt(Logistic.ONE) < predictor.probability() ? 1 : 0;
        predictor.update(bit);
        value = (value << 1) | bit;
      }
      bytes[i] = (byte) value;
    }
  }

  /** Learns from bytes without coding them. */
  public static void learn(byte[] bytes, BytePredictor predictor, ProgressListener progress) {
    for (int i = 0; i < bytes.length; i++) {
      if (i % PIECE == 0) {
        progress.done(i, bytes.length);
      }
      predictor.learn(bytes[i] & 0xFF);
    }
    progress.done(bytes.length, bytes.length);
  }
}
