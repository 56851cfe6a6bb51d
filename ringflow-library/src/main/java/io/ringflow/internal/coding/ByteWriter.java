package io.ringflow.internal.coding;

import java.io.ByteArrayOutputStream;

/** A growing array of bytes; numbers take seven bits a byte, the lowest first. */
public final class ByteWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Appends a number, in 1 to 5 bytes. */
  public void number(int value) {
    int rest = value;
    while (rest >>> 7 != 0) {
      bytes.write(rest | 0x80);
      rest >>>= 7;
    }
    bytes.write(rest);
  }

  /** Appends an array. */
  public void bytes(byte[] more) {
    bytes(more, 0, more.length);
  }

  /** Appends a part of an array. */
  public void bytes(byte[] more, int from, int length) {
    bytes.write(more, from, length);
  }

  /** Appends one byte, the lowest eight bits. */
  public void single(int value) {
    bytes.write(value);
  }

  /** How many bytes were appended. */
  public int size() {
    return bytes.size();
  }

  /** A copy of all bytes. */
  public byte[] toBytes() {
    return bytes.toByteArray();
  }
}
