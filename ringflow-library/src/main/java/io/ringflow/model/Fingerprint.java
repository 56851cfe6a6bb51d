package io.ringflow.model;

import io.ringflow.internal.engine.StatisticsFile;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.store.Json;
import io.ringflow.internal.store.Sha256;
import io.ringflow.spi.Tensors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Tells models apart by what they compute: architecture, weights, and what the symbols mean. */
final class Fingerprint {
  private Fingerprint() {}

  /** SHA-256 of an architecture, as hexadecimal digits. */
  static String of(Architecture architecture) {
    return HexFormat.of().formatHex(Sha256.of(json(architecture)));
  }

  /** The same on every machine and device; must run inside a scope. */
  static byte[] of(Architecture architecture, Codec codec, Weights weights) {
    MessageDigest digest = Sha256.digest();
    digest.update(json(architecture));
    digest.update(json(codec));
    double[] values = Tensors.toDoubles(weights.values());
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (double value : values) {
      bytes.putFloat((float) value);
    }
    digest.update(bytes.array());
    StatisticsFile.digest(weights, digest);
    return digest.digest();
  }

  private static byte[] json(Object value) {
    return Json.text(value).getBytes(StandardCharsets.UTF_8);
  }
}
