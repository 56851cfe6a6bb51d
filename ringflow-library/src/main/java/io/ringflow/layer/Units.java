package io.ringflow.layer;

import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/** The units of Z/K<sub>d</sub> of some positions: the scales that have an inverse, and those. */
final class Units implements Module {
  private final Buffer inverses; // [D, K]; 0 where there is none
  private final Buffer barred; // [D, K], true where a scale has no inverse

  Units(Space positions, int width) {
    int size = positions.size();
    long[] inverse = new long[size * width];
    boolean[] none = new boolean[size * width];
    Arrays.fill(none, true);
    for (int d = 0; d < size; d++) {
      int k = positions.cardinality(d);
      for (int scale = 0; scale < k; scale++) {
        long found = inverse(scale, k);
        if (found >= 0) {
          inverse[d * width + scale] = found;
          none[d * width + scale] = false;
        }
      }
    }
    this.inverses = Buffer.longs(inverse, size, width);
    this.barred = Buffer.flags(none, size, width);
  }

  /**
   * The inverse of {@code scale} modulo {@code k} by the extended Euclidean algorithm; -1 where
   * there is none. Modulo 1 everything is 0, which is its own inverse.
   */
  static long inverse(long scale, long k) {
    long r0 = k;
    long r1 = scale;
    long t0 = 0;
    long t1 = 1;
    while (r1 != 0) {
      long quotient = r0 / r1;
      long r = r0 - quotient * r1;
      r0 = r1;
      r1 = r;
      long t = t0 - quotient * t1;
      t0 = t1;
      t1 = t;
    }
    return r0 == 1 ? Math.floorMod(t0, k) : -1;
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.buffer(inverses);
    registry.buffer(barred);
  }

  /** Logits {@code [B, n, K]} with minus infinity where a scale has no inverse. */
  Tensor masked(Tensor logits, int from, EvaluationContext context) {
    Tensor none = context.get(barred).narrow(0, from, logits.size(-2));
    return logits.masked_fill(none, new Scalar(Double.NEGATIVE_INFINITY));
  }

  /**
   * Values {@code [B, n, K]} with minus infinity where they stand for a scale that has no inverse.
   *
   * @param scales what each value stands for, int64 {@code [B, n, K]}
   */
  Tensor maskedAt(Tensor scales, Tensor values, int from, EvaluationContext context) {
    Tensor none = context.get(barred).narrow(0, from, values.size(-2)); // [n, K]
    return values.masked_fill(
        none.expand(values.size(0), -1, -1).gather(-1, scales),
        new Scalar(Double.NEGATIVE_INFINITY));
  }

  /** The scale that the logits choose, {@code [B, n]}; always invertible. */
  Tensor chosen(Tensor logits, int from, EvaluationContext context) {
    return Tensors.argmax(masked(logits, from, context));
  }

  /** The inverses of scales {@code [B, D]}. */
  Tensor inverse(Tensor scale, EvaluationContext context) {
    return context
        .get(inverses)
        .expand(scale.size(0), -1, -1)
        .gather(-1, scale.unsqueeze(-1))
        .squeeze(-1);
  }

  /** The inverse of every scale, {@code [D, K]}; borrowed. */
  Tensor inverses(EvaluationContext context) {
    return context.get(inverses);
  }
}
