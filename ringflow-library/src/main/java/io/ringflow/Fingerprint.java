package io.ringflow;

import io.ringflow.store.Json;
import io.ringflow.torch.Tensors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Tells models apart by what they compute: architecture, weights, and what the symbols mean. */
final class Fingerprint {
  private Fingerprint() {}

  /** The same on every machine and device; must run inside a scope. */
  static byte[] of(FlowModel model, Weights weights) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(Json.text(model.architecture()).getBytes(StandardCharsets.UTF_8));
      digest.update(Json.text(model.codec()).getBytes(StandardCharsets.UTF_8));
      double[] values = Tensors.toDoubles(weights.values());
      ByteBuffer bytes =
          ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      for (double value : values) {
        bytes.putFloat((float) value);
      }
      return digest.digest(bytes.array());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
