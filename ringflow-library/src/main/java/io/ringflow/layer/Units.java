package io.ringflow.layer;

import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * The units of Z/K<sub>d</sub> of some positions: the scales that have an inverse, their inverses,
 * and the straight-through gradient of a scale.
 *
 * <p>Undoing a scale is {@code z = c^-1 w (mod K)}. As in {@link Rings}, with w hard at v and c
 * hard at s the gradients of the soft form {@code z_j = sum_c p_c w_(cj)} are re-indexings:
 *
 * <pre>    dL/dp_c = g_(c^-1 v)       dL/dw_i = g_(s^-1 i).</pre>
 *
 * The first is a {@code scatter_add} rather than a gather, because several scales may send v to the
 * same place.
 */
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
    registry.constant(inverses);
    registry.constant(barred);
  }

  private Tensor masked(Tensor logits, int from, EvaluationContext context) {
    Tensor none = context.get(barred).narrow(0, from, logits.size(-2));
    return logits.masked_fill(none, new Scalar(Double.NEGATIVE_INFINITY));
  }

  /** The scale the logits choose, {@code [B, n]}; always invertible. */
  Tensor chosen(Tensor logits, int from, EvaluationContext context) {
    return Tensors.argmax(masked(logits, from, context));
  }

  /** The inverses of scales {@code [B, D]}. */
  private Tensor inverse(Tensor scale, EvaluationContext context) {
    return context
        .get(inverses)
        .expand(scale.size(0), -1, -1)
        .gather(-1, scale.unsqueeze(-1))
        .squeeze(-1);
  }

  /** {@code (data - shift) / scale mod K_d} at all positions, with what carries gradients. */
  Symbols undo(
      Symbols data,
      Tensor shiftLogits,
      Tensor scaleLogits,
      Rings rings,
      EvaluationContext context) {
    Tensor shifts = rings.masked(shiftLogits, 0, context);
    Tensor scales = masked(scaleLogits, 0, context);
    Tensor shift = Tensors.argmax(shifts); // [B, D]
    Tensor scale = Tensors.argmax(scales);
    Tensor unshifted = rings.subtract(data.ids(), shift, context);
    Tensor ids = rings.multiply(unshifted, inverse(scale, context), 0, context);
    if (data.evidence() != null) {
      return new Symbols(
          ids, null, mixtures(data, shifts, scales, unshifted, scale, rings, context));
    }
    if (!data.hasOneHot()) {
      return Symbols.of(ids);
    }
    return rings.withGradientOf(
        () -> {
          // Both steps at once: z_j is what the data has at s j + m, by whatever shift would have
          // taken it there, and by whatever scale.
          Tensor scaled = scale.unsqueeze(-1).mul(rings.symbols(context)); // [B, D, K]
          Tensor from = rings.index(data.ids().unsqueeze(-1).sub(scaled), context);
          Tensor ofShift = soft(shifts, context).gather(-1, from);
          Tensor to = left(unshifted, rings, context);
          Tensor carrier = ofShift.scatter_add(-1, to, soft(scales, context));
          if (!data.carriesGradient()) {
            return carrier;
          }
          Tensor source = rings.index(scaled.add(shift.unsqueeze(-1)), context);
          return carrier.add(data.oneHot().gather(-1, source));
        },
        ids);
  }

  private static Tensor soft(Tensor logits, EvaluationContext context) {
    return logits.div(new Scalar(context.temperature())).softmax(-1); // [B, D, K]
  }

  /** Where each scale takes a symbol, {@code [B, D, K]}. */
  private Tensor left(Tensor unshifted, Rings rings, EvaluationContext context) {
    return rings.index(context.get(inverses).mul(unshifted.unsqueeze(-1)), context);
  }

  /** Each of the two is a mixture given the other's choice, so that neither needs K x K pairs. */
  private Symbols.Evidence mixtures(
      Symbols data,
      Tensor shifts,
      Tensor scales,
      Tensor unshifted,
      Tensor scale,
      Rings rings,
      EvaluationContext context) {
    Symbols.Evidence evidence = data.evidence();
    Tensor inverse = inverse(scale, context).unsqueeze(-1); // [B, D, 1]
    Tensor byShift = rings.index(data.ids().unsqueeze(-1).sub(rings.symbols(context)), context);
    Tensor thenScaled = rings.index(byShift.mul(inverse), context);
    return Rings.mixture(
        Rings.mixture(evidence, shifts, thenScaled), scales, left(unshifted, rings, context));
  }
}
