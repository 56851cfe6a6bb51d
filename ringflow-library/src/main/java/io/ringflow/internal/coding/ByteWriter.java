package io.ringflow.internal.coding;

import java.io.ByteArrayOutputStream;

/** Bytes that grow, with numbers of variable length: seven bits a byte, the lowest first. */
public final class ByteWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  public void number(int value) {
    int rest = value;
    while (rest >>> 7 != 0) {
      bytes.write(rest | 0x80);
      rest >>>= 7;
    }
    bytes.write(rest);
  }

  public void bytes(byte[] more) {
    bytes(more, 0, more.length);
  }

  public void bytes(byte[] more, int from, int length) {
    bytes.write(more, from, length);
  }

  public void single(int value) {
    bytes.write(value);
  }

  public int size() {
    return bytes.size();
  }

  public byte[] toBytes() {
    return bytes.toByteArray();
  }
}
