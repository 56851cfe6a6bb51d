package io.ringflow.internal.store;

import io.ringflow.core.ModelFormatException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Reads {@link DeflatedPieces}. */
final class PieceReader extends InputStream {
  private final Path file;
  private final DataInputStream in;
  private final PieceWorkers workers = new PieceWorkers();
  private byte[] piece = {};
  private int at;
  private boolean ended; // nothing more to submit

  PieceReader(Path file) throws IOException {
    this.file = file;
    in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
    try {
      if (in.readInt() != DeflatedPieces.MAGIC) {
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
      while (!ended && !workers.isFull()) {
        submit();
      }
      if (workers.isEmpty()) {
        return -1;
      }
      piece = workers.next();
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
      if (length < 0
          || length > DeflatedPieces.PIECE
          || size < 1
          || size > DeflatedPieces.MAX_DEFLATED) {
        throw damaged("has a piece of no possible length", null);
      }
      byte[] deflated = new byte[size];
      in.readFully(deflated);
      workers.submit(() -> inflated(deflated, length));
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
      workers.close();
    }
  }
}
