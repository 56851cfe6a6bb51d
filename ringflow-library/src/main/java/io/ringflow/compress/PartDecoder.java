package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.Container.Method;
import io.ringflow.internal.coding.Deflated;
import io.ringflow.internal.mixing.ByteCoding;
import io.ringflow.internal.mixing.BytePredictor;

/** Gives back the parts of a {@link PartEncoder}, in their order. For one thread. */
final class PartDecoder {
  private final BodyCoding coding;
  private Method learnedBy = Method.STORED;
  private BytePredictor learned; // null if no part can continue

  PartDecoder(BodyCoding coding) {
    this.coding = coding;
  }

  /**
   * Gives back a part that needs none of those before.
   *
   * @param length how many bytes there are, as somebody claims
   */
  byte[] first(Method method, int length, ByteReader body, ProgressListener progress)
      throws CompressedFormatException {
    learned = null; // its memory is free before the next one takes as much
    learnedBy = method;
    return switch (method) {
      case STORED -> rest(body);
      case DEFLATED -> Deflated.inflate(rest(body), length);
      case ADAPTIVE -> counted(new AdaptiveCoding(1), length, body, progress);
      case COUNTS -> counted((CountedCoding) own(method), length, body, progress);
      case FLOW, TABLE, MIXED -> own(method).read(body, length, progress);
    };
  }

  /** Gives back a part that continues the one before. */
  byte[] next(Method method, int length, ByteReader body, ProgressListener progress)
      throws CompressedFormatException {
    if (learned == null || (method != Method.STORED && method != learnedBy)) {
      throw CompressedFormatException.damaged("a part continues what is not before it");
    }
    if (method != Method.STORED) {
      return CountedCoding.decoded(body, length, learned, progress);
    }
    byte[] bytes = rest(body);
    ByteCoding.learn(bytes, learned, progress);
    return bytes;
  }

  private byte[] counted(
      CountedCoding counted, int length, ByteReader body, ProgressListener progress)
      throws CompressedFormatException {
    learned = counted.begin(body);
    return CountedCoding.decoded(body, length, learned, progress);
  }

  /** This compressor's own way, if it is the one that is asked for. */
  private BodyCoding own(Method method) throws CompressedFormatException {
    if (coding.method() != method) {
      throw new CompressedFormatException(
          coding instanceof AdaptiveCoding
              ? "was compressed with a model, and takes the same one to decompress"
              : "was compressed with another model");
    }
    return coding;
  }

  private static byte[] rest(ByteReader body) throws CompressedFormatException {
    return body.bytes("the body", body.remaining());
  }
}
