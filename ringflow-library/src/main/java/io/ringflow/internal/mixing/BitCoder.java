package io.ringflow.internal.mixing;

import io.ringflow.core.CompressedFormatException;
import java.io.UncheckedIOException;

/**
 * Writes bits or reads them, by the same calls: so that both sides run through the same code, and
 * can't drift apart.
 */
public abstract class BitCoder {
  private BitCoder() {}

  /** Writes bits. */
  public static Writing writing() {
    return new Writing();
  }

  /** Reads the bits of a code. */
  public static Reading reading(byte[] code) {
    return new Reading(code);
  }

  /**
   * Writes a bit, or reads one.
   *
   * @param bit to write; ignored by readers
   * @param probability of a one, 1 to 65535 of 65536
   * @return the bit
   * @throws UncheckedIOException of a {@link CompressedFormatException} if the code has ended: a
   *     model's callback calls it
   */
  public abstract int code(int bit, int probability);

  /** Whether bits are read. */
  public abstract boolean reads();

  /** The writing side. */
  public static final class Writing extends BitCoder {
    private final BinaryEncoder encoder = new BinaryEncoder();

    private Writing() {}

    @Override
    public int code(int bit, int probability) {
      encoder.encode(bit, probability);
      return bit;
    }

    @Override
    public boolean reads() {
      return false;
    }

    /** The code of all bits. */
    public byte[] finish() {
      return encoder.finish();
    }
  }

  /** The reading side. */
  public static final class Reading extends BitCoder {
    private final BinaryDecoder decoder;

    private Reading(byte[] code) {
      decoder = new BinaryDecoder(code);
    }

    @Override
    public int code(int bit, int probability) {
      try {
        return decoder.decode(probability);
      } catch (CompressedFormatException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public boolean reads() {
      return true;
    }

    /** Checks that the code ends with the bits that were read. */
    public void finish() throws CompressedFormatException {
      decoder.finish();
    }
  }
}
