package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.ByteWriter;
import java.util.Arrays;

/** The first bytes of a model's fingerprint, kept with what was compressed by it. */
final class ModelHash {
  private static final int BYTES = 16;

  private final byte[] hash;

  ModelHash(byte[] fingerprint) {
    hash = Arrays.copyOf(fingerprint, BYTES);
  }

  void write(ByteWriter body) {
    body.bytes(hash);
  }

  void check(ByteReader body) throws CompressedFormatException {
    if (!Arrays.equals(hash, body.bytes("the model's hash", BYTES))) {
      throw new CompressedFormatException("was compressed with another model");
    }
  }
}
