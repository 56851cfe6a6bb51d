package io.ringflow.internal.coding;

import io.ringflow.core.CompressedFormatException;
import java.nio.ByteBuffer;

/**
 * Reads the bytes of a {@link ByteWriter}; the exceptions name the part that is missing or wrong.
 */
public final class ByteReader {
  private final ByteBuffer bytes;

  ByteReader(byte[] bytes) {
    this(bytes, bytes.length);
  }

  /** Reads the first bytes of an array. */
  ByteReader(byte[] bytes, int length) {
    this.bytes = ByteBuffer.wrap(bytes, 0, length);
  }

  /**
   * Reads a number of variable length.
   *
   * @param what names the number in the message
   * @param max the largest value allowed
   */
  public int number(String what, int max) throws CompressedFormatException {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      int next = single(what);
      value |= (long) (next & 0x7F) << shift;
      if (value > max || shift > 28) {
        throw CompressedFormatException.damaged(what + " exceeds " + max);
      }
      if ((next & 0x80) == 0) {
        return (int) value;
      }
    }
  }

  /** Reads one byte, 0 to 255. */
  int single(String what) throws CompressedFormatException {
    require(what, 1);
    return bytes.get() & 0xFF;
  }

  /** Reads bytes into an array of their own. */
  public byte[] bytes(String what, int length) throws CompressedFormatException {
    require(what, length);
    byte[] copy = new byte[length];
    bytes.get(copy);
    return copy;
  }

  /** Reads bytes by a reader of their own. */
  public ByteReader part(String what, int length) throws CompressedFormatException {
    return new ByteReader(bytes(what, length));
  }

  /** Reads bytes without copying them. */
  ByteBuffer slice(String what, int length) throws CompressedFormatException {
    require(what, length);
    ByteBuffer slice = bytes.slice(bytes.position(), length);
    bytes.position(bytes.position() + length);
    return slice;
  }

  private void require(String what, int length) throws CompressedFormatException {
    if (length > bytes.remaining()) {
      throw CompressedFormatException.damaged(
          what + " has " + length + " bytes, but only " + bytes.remaining() + " follow");
    }
  }

  /** How many bytes are still to be read. */
  public int remaining() {
    return bytes.remaining();
  }

  /** Checks that every byte has been read. */
  public void finish(String what) throws CompressedFormatException {
    if (bytes.hasRemaining()) {
      throw CompressedFormatException.damaged(
          bytes.remaining() + " bytes follow the end of " + what);
    }
  }
}
