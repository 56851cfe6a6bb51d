package io.ringflow.internal.store;

import io.ringflow.core.ModelFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.zip.Deflater;

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
  static final int MAGIC = 'R' << 24 | 'F' << 16 | 'D' << 8 | 'P';
  static final int PIECE = 1 << 20;

  /** Noise grows by 5 bytes for every 16 kB. */
  static final int MAX_DEFLATED = PIECE + (PIECE >> 8);

  private DeflatedPieces() {}

  /**
   * Creates a file.
   *
   * @param level of {@link Deflater}
   */
  public static OutputStream writer(Path file, int level) throws IOException {
    return new PieceWriter(file, level);
  }

  /**
   * Opens a file.
   *
   * @throws ModelFormatException if it is none
   */
  public static InputStream reader(Path file) throws IOException {
    return new PieceReader(file);
  }
}
