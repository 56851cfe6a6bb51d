package io.ringflow.coding;

import java.io.ByteArrayOutputStream;

/** Bytes that grow, with numbers of variable length: seven bits a byte, the lowest first. */
final class ByteWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  void number(int value) {
    int rest = value;
    while (rest >>> 7 != 0) {
      bytes.write(rest | 0x80);
      rest >>>= 7;
    }
    bytes.write(rest);
  }

  void bytes(byte[] more) {
    bytes(more, 0, more.length);
  }

  void bytes(byte[] more, int from, int length) {
    bytes.write(more, from, length);
  }

  void single(int value) {
    bytes.write(value);
  }

  int size() {
    return bytes.size();
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }
}
