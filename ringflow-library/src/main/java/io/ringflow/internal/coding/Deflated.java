package io.ringflow.internal.coding;

import io.ringflow.core.CompressedFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Bytes deflated as in RFC 1951, without a wrapper: the fallback where a model does not help, and
 * the baseline that models are compared with.
 */
public final class Deflated {
  private static final int PIECE = 1 << 13;

  private Deflated() {}

  /** Deflates bytes at the best compression level. */
  public static byte[] of(byte[] bytes) {
    var out = new ByteArrayOutputStream();
    deflate(bytes, Deflater.BEST_COMPRESSION, out);
    return out.toByteArray();
  }

  /** How many bytes deflate leaves at its fastest level. */
  public static long fastLength(byte[] bytes) {
    return deflate(bytes, Deflater.BEST_SPEED, OutputStream.nullOutputStream());
  }

  private static long deflate(byte[] bytes, int level, OutputStream out) {
    var deflater = new Deflater(level, true);
    try {
      deflater.setInput(bytes);
      deflater.finish();
      byte[] piece = new byte[PIECE];
      while (!deflater.finished()) {
        out.write(piece, 0, deflater.deflate(piece));
      }
      return deflater.getBytesWritten();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    } finally {
      deflater.end();
    }
  }

  /**
   * Inflates bytes. Takes memory for the bytes that are really there, whatever their number is
   * claimed to be.
   *
   * @param max the largest number of bytes allowed
   */
  public static byte[] inflate(byte[] deflated, long max) throws CompressedFormatException {
    var inflater = new Inflater(true);
    try {
      inflater.setInput(deflated);
      var out = new ByteArrayOutputStream();
      byte[] piece = new byte[PIECE];
      while (!inflater.finished()) {
        int count = inflater.inflate(piece);
        out.write(piece, 0, count);
        if (out.size() > max) {
          throw CompressedFormatException.damaged("inflates to more than " + max + " bytes");
        }
        if (count == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
          throw CompressedFormatException.damaged("deflated bytes end too early");
        }
      }
      if (inflater.getRemaining() > 0) {
        throw CompressedFormatException.damaged("deflated bytes end too late");
      }
      return out.toByteArray();
    } catch (DataFormatException e) {
      throw CompressedFormatException.damaged("bytes are not deflated ones");
    } finally {
      inflater.end();
    }
  }
}
