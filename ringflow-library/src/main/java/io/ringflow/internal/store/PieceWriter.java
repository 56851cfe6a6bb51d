package io.ringflow.internal.store;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.zip.Deflater;

/** Writes {@link DeflatedPieces}. */
final class PieceWriter extends OutputStream {
  private final DataOutputStream out;
  private final int level;
  private final PieceWorkers workers = new PieceWorkers();
  private final Deque<Integer> lengths = new ArrayDeque<>();
  private byte[] piece = new byte[DeflatedPieces.PIECE];
  private int length;
  private boolean closed;

  PieceWriter(Path file, int level) throws IOException {
    out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)));
    this.level = level;
    out.writeInt(DeflatedPieces.MAGIC);
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    for (int done = 0; done < count; ) {
      int fitting = Math.min(DeflatedPieces.PIECE - length, count - done);
      System.arraycopy(bytes, offset + done, piece, length, fitting);
      length += fitting;
      done += fitting;
      if (length == DeflatedPieces.PIECE) {
        submit();
      }
    }
  }

  private void submit() throws IOException {
    if (workers.isFull()) {
      writeNext();
    }
    byte[] full = piece;
    int size = length;
    lengths.add(size);
    workers.submit(() -> deflated(full, size, level));
    piece = new byte[DeflatedPieces.PIECE];
    length = 0;
  }

  private void writeNext() throws IOException {
    byte[] deflated = workers.next();
    out.writeInt(lengths.remove());
    out.writeInt(deflated.length);
    out.write(deflated);
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (out;
        workers) {
      if (length > 0) {
        submit();
      }
      while (!workers.isEmpty()) {
        writeNext();
      }
      out.writeInt(0);
    }
  }

  private static byte[] deflated(byte[] piece, int length, int level) {
    var deflater = new Deflater(level, true);
    try {
      deflater.setInput(piece, 0, length);
      deflater.finish();
      byte[] deflated = new byte[DeflatedPieces.MAX_DEFLATED];
      int count = deflater.deflate(deflated);
      if (!deflater.finished()) {
        throw new IllegalStateException(
            "a piece grew to more than " + DeflatedPieces.MAX_DEFLATED + " bytes");
      }
      return Arrays.copyOf(deflated, count);
    } finally {
      deflater.end();
    }
  }
}
