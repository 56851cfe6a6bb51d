package io.ringflow.internal.store;

import io.ringflow.core.ModelFormatException;
import io.ringflow.internal.checks.Interruption;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Files that are deflated in pieces, so that several cores write and read them.
 *
 * <pre>
 * 4 bytes  "RFDP"
 * for each piece:
 *   4      its length, 1 to 2^20
 *   4      its length when deflated
 *   ...    raw deflate
 * 4        0
 * </pre>
 *
 * Numbers have the highest byte first. Checksums are others' business.
 */
public final class DeflatedPieces {
  private static final int MAGIC = 'R' << 24 | 'F' << 16 | 'D' << 8 | 'P';
  private static final int PIECE = 1 << 20;

  /** Noise grows by 5 bytes for every 16 kB. */
  private static final int MAX_DEFLATED = PIECE + (PIECE >> 8);

  private static final int MAX_THREADS = 8;

  private DeflatedPieces() {}

  /**
   * Creates a file.
   *
   * @param level of {@link Deflater}
   */
  public static OutputStream writer(Path file, int level) throws IOException {
    return new Writer(file, level);
  }

  /**
   * Opens a file.
   *
   * @throws ModelFormatException if it is none
   */
  public static InputStream reader(Path file) throws IOException {
    return new Reader(file);
  }

  /** Pieces that are worked on, at most as many as there are threads and one that waits. */
  private static final class Pieces implements AutoCloseable {
    private final int threads =
        Math.max(1, Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors()));
    private final ExecutorService pool =
        Executors.newFixedThreadPool(threads, work -> new Thread(work, "ringflow-deflating"));
    private final Deque<Future<byte[]>> open = new ArrayDeque<>();

    boolean isFull() {
      return open.size() > threads;
    }

    boolean isEmpty() {
      return open.isEmpty();
    }

    void submit(Callable<byte[]> work) {
      open.add(pool.submit(work));
    }

    byte[] next() throws IOException {
      try {
        return open.remove().get();
      } catch (InterruptedException e) {
        throw Interruption.cancelled(e);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException damaged) {
          throw damaged;
        }
        if (e.getCause() instanceof Error failed) { // such as too little memory
          throw failed;
        }
        throw new IllegalStateException(e.getCause());
      }
    }

    @Override
    public void close() {
      pool.shutdownNow();
    }
  }

  private static final class Writer extends OutputStream {
    private final DataOutputStream out;
    private final int level;
    private final Pieces pieces = new Pieces();
    private final Deque<Integer> lengths = new ArrayDeque<>();
    private byte[] piece = new byte[PIECE];
    private int length;
    private boolean closed;

    Writer(Path file, int level) throws IOException {
      out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)));
      this.level = level;
      out.writeInt(MAGIC);
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      for (int done = 0; done < count; ) {
        int fitting = Math.min(PIECE - length, count - done);
        System.arraycopy(bytes, offset + done, piece, length, fitting);
        length += fitting;
        done += fitting;
        if (length == PIECE) {
          submit();
        }
      }
    }

    private void submit() throws IOException {
      if (pieces.isFull()) {
        writeNext();
      }
      byte[] full = piece;
      int size = length;
      lengths.add(size);
      pieces.submit(() -> deflated(full, size, level));
      piece = new byte[PIECE];
      length = 0;
    }

    private void writeNext() throws IOException {
      byte[] deflated = pieces.next();
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
          pieces) {
        if (length > 0) {
          submit();
        }
        while (!pieces.isEmpty()) {
          writeNext();
        }
        out.writeInt(0);
      }
    }
  }

  private static byte[] deflated(byte[] piece, int length, int level) {
    var deflater = new Deflater(level, true);
    try {
      deflater.setInput(piece, 0, length);
      deflater.finish();
      byte[] deflated = new byte[MAX_DEFLATED];
      int count = deflater.deflate(deflated);
      if (!deflater.finished()) {
        throw new IllegalStateException("a piece grew to more than " + MAX_DEFLATED + " bytes");
      }
      return Arrays.copyOf(deflated, count);
    } finally {
      deflater.end();
    }
  }

  private static final class Reader extends InputStream {
    private final Path file;
    private final DataInputStream in;
    private final Pieces pieces = new Pieces();
    private byte[] piece = {};
    private int at;
    private boolean ended; // nothing more to submit

    Reader(Path file) throws IOException {
      this.file = file;
      in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
      try {
        if (in.readInt() != MAGIC) {
          throw new ModelFormatException(
              file, "was written by an earlier snapshot of Ringflow: train again");
        }
      } catch (EOFException e) {
        close();
        throw damaged("ends too early", e);
      } catch (IOException e) {
        close();
        throw e;
      }
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
      if (count == 0) {
        return 0;
      }
      if (at == piece.length) {
        while (!ended && !pieces.isFull()) {
          submit();
        }
        if (pieces.isEmpty()) {
          return -1;
        }
        piece = pieces.next();
        at = 0;
      }
      int given = Math.min(count, piece.length - at);
      System.arraycopy(piece, at, bytes, offset, given);
      at += given;
      return given;
    }

    private void submit() throws IOException {
      try {
        int length = in.readInt();
        if (length == 0) {
          ended = true;
          if (in.read() >= 0) {
            throw damaged("is longer than it says", null);
          }
          return;
        }
        int size = in.readInt();
        if (length < 0 || length > PIECE || size < 1 || size > MAX_DEFLATED) {
          throw damaged("has a piece of no possible length", null);
        }
        byte[] deflated = new byte[size];
        in.readFully(deflated);
        pieces.submit(() -> inflated(deflated, length));
      } catch (EOFException e) {
        throw damaged("ends too early", e);
      }
    }

    private byte[] inflated(byte[] deflated, int length) throws IOException {
      var inflater = new Inflater(true);
      try {
        inflater.setInput(deflated);
        byte[] inflated = new byte[length];
        int count = inflater.inflate(inflated);
        // Having given all it has, it must find the end too.
        if (count < length || inflater.inflate(new byte[1]) > 0 || !inflater.finished()) {
          throw damaged("has a piece of another length", null);
        }
        return inflated;
      } catch (DataFormatException e) {
        throw damaged(e.getMessage(), e);
      } finally {
        inflater.end();
      }
    }

    private ModelFormatException damaged(String how, Exception cause) {
      return new ModelFormatException(file, "is damaged: " + how, cause);
    }

    @Override
    public void close() throws IOException {
      try (in) {
        pieces.close();
      }
    }
  }
}
