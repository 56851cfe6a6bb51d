package io.ringflow;

import io.ringflow.torch.Tensors;
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
final class Units implements Parametric {
  private final Constant inverses; // [D, K]; 0 where there is none
  private final Constant barred; // [D, K], true where a scale has no inverse

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
    this.inverses = Constant.longs(inverse, size, width);
    this.barred = Constant.flags(none, size, width);
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
  public void declare(Declarations declarations) {
    declarations.constant(inverses);
    declarations.constant(barred);
  }

  private Tensor masked(Tensor logits, int from, Pass pass) {
    Tensor none = pass.get(barred).narrow(0, from, logits.size(-2));
    return logits.masked_fill(none, new Scalar(Double.NEGATIVE_INFINITY));
  }

  /** The scale the logits choose, {@code [B, n]}; always invertible. */
  Tensor chosen(Tensor logits, int from, Pass pass) {
    return Tensors.argmax(masked(logits, from, pass));
  }

  /** The inverses of scales {@code [B, D]}. */
  private Tensor inverse(Tensor scale, Pass pass) {
    return pass.get(inverses)
        .expand(scale.size(0), -1, -1)
        .gather(-1, scale.unsqueeze(-1))
        .squeeze(-1);
  }

  /**
   * What a shift should aim at before the scale that the logits choose: the targets of the place
   * the scale will take each symbol to, {@code [B, D, K]}.
   */
  Symbols.Evidence beforeScale(Symbols data, Tensor logits, Rings rings, Pass pass) {
    Symbols.Evidence evidence = data.evidence();
    Tensor inverse = inverse(Tensors.argmax(masked(logits, 0, pass)), pass).unsqueeze(-1);
    Tensor symbol = Tensors.range(rings.width(), data.ids()); // [K]
    Tensor scaled = rings.index(inverse.mul(symbol), symbol, pass);
    return evidence.towards(evidence.targets().expand(scaled.size(0), -1, -1).gather(-1, scaled));
  }

  /** {@code data / scale mod K_d} at all positions, with the shadow's gradient. */
  Symbols scaleBack(Symbols data, Tensor logits, Rings rings, Pass pass) {
    Tensor masked = masked(logits, 0, pass);
    Tensor scale = Tensors.argmax(masked); // [B, D]
    Tensor ids = rings.multiply(data.ids(), inverse(scale, pass), 0, pass);
    if (data.evidence() != null) {
      Tensor symbol = Tensors.range(rings.width(), ids); // [K]
      Tensor left = rings.index(pass.get(inverses).mul(data.ids().unsqueeze(-1)), symbol, pass);
      return new Symbols(ids, null, Rings.mixture(data.evidence(), masked, left));
    }
    if (!data.hasShadow()) {
      return Symbols.of(ids);
    }
    return rings.withGradientOf(
        () -> {
          Tensor symbol = Tensors.range(rings.width(), ids); // [K]
          Tensor soft = masked.div(new Scalar(pass.temperature())).softmax(-1); // [B, D, K]
          Tensor target =
              rings.index(pass.get(inverses).mul(data.ids().unsqueeze(-1)), symbol, pass);
          Tensor ofScale = Tensors.zeros(soft, soft.shape()).scatter_add(-1, target, soft);
          if (!data.carriesGradient()) {
            return ofScale;
          }
          Tensor source = rings.index(symbol.mul(scale.unsqueeze(-1)), symbol, pass);
          return ofScale.add(data.shadow().gather(-1, source));
        },
        ids);
  }
}
