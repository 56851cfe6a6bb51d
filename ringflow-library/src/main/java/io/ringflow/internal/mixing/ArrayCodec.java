package io.ringflow.internal.mixing;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Arrays of numbers as bytes, the highest first; whoever reads knows the length. */
final class ArrayCodec {
  private static final int PIECE = 1 << 12;

  private ArrayCodec() {}

  static void write(int[] numbers, DataOutput out) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE * Integer.BYTES);
    for (int at = 0; at < numbers.length; at += PIECE) {
      int count = Math.min(PIECE, numbers.length - at);
      piece.asIntBuffer().put(numbers, at, count);
      out.write(piece.array(), 0, count * Integer.BYTES);
    }
  }

  static void read(int[] numbers, DataInput in) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE * Integer.BYTES);
    for (int at = 0; at < numbers.length; at += PIECE) {
      int count = Math.min(PIECE, numbers.length - at);
      in.readFully(piece.array(), 0, count * Integer.BYTES);
      piece.asIntBuffer().get(numbers, at, count);
    }
  }

  static void write(char[] numbers, DataOutput out) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE * Character.BYTES);
    for (int at = 0; at < numbers.length; at += PIECE) {
      int count = Math.min(PIECE, numbers.length - at);
      piece.asCharBuffer().put(numbers, at, count);
      out.write(piece.array(), 0, count * Character.BYTES);
    }
  }

  static void read(char[] numbers, DataInput in) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE * Character.BYTES);
    for (int at = 0; at < numbers.length; at += PIECE) {
      int count = Math.min(PIECE, numbers.length - at);
      in.readFully(piece.array(), 0, count * Character.BYTES);
      piece.asCharBuffer().get(numbers, at, count);
    }
  }
}
