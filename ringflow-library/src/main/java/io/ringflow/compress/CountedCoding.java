package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.ByteWriter;
import io.ringflow.internal.mixing.ByteCoding;
import io.ringflow.internal.mixing.BytePredictor;
import java.util.Optional;

/** Codes bytes by a predictor that learns from each of them, so that more bytes can continue. */
abstract class CountedCoding implements BodyCoding {
  /** Large tables are at their best from here on, whatever follows. */
  private static final int PART_LENGTH = 1 << 22;

  /**
   * Makes the predictor of the first byte, and writes down how.
   *
   * @param length how many bytes there will be, at least; the table need not be larger than for
   *     them
   */
  abstract BytePredictor begin(ByteWriter body, long length);

  /** Makes the predictor of the first byte as it was written down. */
  abstract BytePredictor begin(ByteReader body) throws CompressedFormatException;

  @Override
  public final int partLength() {
    return PART_LENGTH;
  }

  @Override
  public final Optional<byte[]> write(byte[] bytes, ProgressListener progress) {
    var body = new ByteWriter();
    BytePredictor predictor = begin(body, bytes.length);
    body.bytes(ByteCoding.encode(bytes, predictor, progress));
    return Optional.of(body.toBytes());
  }

  @Override
  public final byte[] read(ByteReader body, int length, ProgressListener progress)
      throws CompressedFormatException {
    return decoded(body, length, begin(body), progress);
  }

  /** Gives back bytes of which the code is left to read. */
  static byte[] decoded(
      ByteReader body, int length, BytePredictor predictor, ProgressListener progress)
      throws CompressedFormatException {
    byte[] code = body.bytes("the code", body.remaining());
    return ByteCoding.decode(code, length, predictor, progress);
  }
}
