package io.ringflow.internal.coding;

import io.ringflow.core.CompressedFormatException;
import java.nio.ByteBuffer;

/** Reads what {@link ByteWriter} wrote; whatever is not there is a clear error. */
public final class ByteReader {
  private final ByteBuffer bytes;

  ByteReader(byte[] bytes) {
    this(bytes, bytes.length);
  }

  /** Reads the first so many bytes. */
  ByteReader(byte[] bytes, int length) {
    this.bytes = ByteBuffer.wrap(bytes, 0, length);
  }

  /**
   * A number.
   *
   * @param most it may be
   */
  public int number(String what, int most) throws CompressedFormatException {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      int next = single(what);
      value |= (long) (next & 0x7F) << shift;
      if (value > most || shift > 28) {
        throw CompressedFormatException.damaged(what + " exceeds " + most);
      }
      if ((next & 0x80) == 0) {
        return (int) value;
      }
    }
  }

  int single(String what) throws CompressedFormatException {
    require(what, 1);
    return bytes.get() & 0xFF;
  }

  public byte[] bytes(String what, int length) throws CompressedFormatException {
    require(what, length);
    byte[] copy = new byte[length];
    bytes.get(copy);
    return copy;
  }

  /** The next bytes, which are not copied. */
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

  public int remaining() {
    return bytes.remaining();
  }

  /** Checks that nothing is left. */
  public void finish(String what) throws CompressedFormatException {
    if (bytes.hasRemaining()) {
      throw CompressedFormatException.damaged(
          bytes.remaining() + " bytes follow the end of " + what);
    }
  }
}
