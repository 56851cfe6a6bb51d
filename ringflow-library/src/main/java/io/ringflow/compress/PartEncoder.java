package io.ringflow.compress;

import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.ByteWriter;
import io.ringflow.internal.coding.Container.Method;
import io.ringflow.internal.coding.Deflated;
import io.ringflow.internal.mixing.ByteCoding;
import io.ringflow.internal.mixing.BytePredictor;
import java.util.Optional;

/**
 * Codes the parts of a file, each in the shortest of some ways, and continues where it counts with
 * what was counted before. For one thread.
 */
final class PartEncoder {
  /** How large the table may be where a model is no good. */
  private static final int FALLBACK_MEGABYTES = 64;

  /**
   * Of what deflate at its fastest leaves: at its best it hardly ever leaves less than 0.7 of that,
   * nor counting less than two thirds of the best.
   */
  private static final double SURELY_SHORTER = 0.7 * 2 / 3;

  /** How a part was coded. */
  static final class Coded {
    private final Method method;
    private final boolean continues;
    private final byte[] body;

    Coded(Method method, boolean continues, byte[] body) {
      this.method = method;
      this.continues = continues;
      this.body = body;
    }

    Method method() {
      return method;
    }

    boolean continues() {
      return continues;
    }

    byte[] body() {
      return body;
    }
  }

  private final BodyCoding coding;
  private final long expected;
  private BytePredictor learned; // null if the next part begins anew

  /**
   * Codes parts.
   *
   * @param expected how many bytes there will be at least before something begins anew
   */
  PartEncoder(BodyCoding coding, long expected) {
    this.coding = coding;
    this.expected = expected;
  }

  /** Codes a part that needs none of those before. */
  Coded first(byte[] bytes, ProgressListener progress) {
    learned = null;
    return next(bytes, progress);
  }

  /** Codes the next part. */
  Coded next(byte[] bytes, ProgressListener progress) {
    return coding instanceof CountedCoding counted
        ? counted(counted, bytes, progress)
        : modelled(bytes, progress);
  }

  private Coded counted(CountedCoding counted, byte[] bytes, ProgressListener progress) {
    boolean continues = learned != null;
    var body = new ByteWriter();
    if (!continues) {
      learned = counted.begin(body, Math.max(expected, bytes.length));
    }
    body.bytes(ByteCoding.encode(bytes, learned, progress));
    if (continues) {
      return body.size() < bytes.length
          ? new Coded(counted.method(), true, body.toBytes())
          : new Coded(Method.STORED, true, bytes);
    }
    Coded shortest = plain(bytes);
    if (body.size() < shortest.body.length) {
      return new Coded(counted.method(), false, body.toBytes());
    }
    learned = null; // whoever reads it has learned nothing
    return shortest;
  }

  private Coded modelled(byte[] bytes, ProgressListener progress) {
    Optional<byte[]> body = coding.write(bytes, progress);
    if (body.isPresent() && body.get().length < SURELY_SHORTER * Deflated.fastLength(bytes)) {
      return new Coded(coding.method(), false, body.get());
    }
    Coded shortest = plain(bytes);
    // By counting, hardly anything becomes shorter than two thirds of what deflate makes of it.
    if (body.isEmpty() || 3L * body.get().length > 2L * shortest.body.length) {
      var counted = new AdaptiveCoding(FALLBACK_MEGABYTES);
      ProgressListener stopping = ProgressListener.IGNORED.untilInterrupted();
      shortest = shorter(shortest, counted.method(), counted.write(bytes, stopping).orElseThrow());
    }
    return body.isPresent() ? shorter(shortest, coding.method(), body.get()) : shortest;
  }

  private static Coded plain(byte[] bytes) {
    return shorter(new Coded(Method.STORED, false, bytes), Method.DEFLATED, Deflated.of(bytes));
  }

  private static Coded shorter(Coded one, Method method, byte[] body) {
    return body.length < one.body.length ? new Coded(method, false, body) : one;
  }
}
