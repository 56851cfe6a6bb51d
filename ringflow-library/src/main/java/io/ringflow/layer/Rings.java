package io.ringflow.layer;

import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The residue rings Z/K<sub>d</sub> of some positions: addition and multiplication of symbols, and
 * the straight-through gradient of a shift.
 *
 * <h2>The gradient in O(K)</h2>
 *
 * Were data {@code y} and shift {@code m} soft vectors of K probabilities, {@code z = y - m (mod
 * K)} would be their circular correlation
 *
 * <pre>    z_j = sum_k m_k y_(j+k)    so    dz_j/dm_k = y_(j+k)    and    dz_j/dy_i = m_(i-j).
 * </pre>
 *
 * Written out that is a K x K cube a symbol. But on the forward pass both are one-hot, say y at v
 * and m at s, and the gradients collapse to a re-indexing of the gradient g that arrives at z:
 *
 * <pre>    dL/dm_k = g_(v-k)          dL/dy_i = g_(i-s).</pre>
 *
 * Both are what autograd makes of a {@code gather} of m at {@code v - j} and of y at {@code j + s}.
 * We add the two gathers with {@link Tensors#gradientOnly}: the shadow's value stays the exact
 * one-hot of the integer result.
 *
 * <p>Where cardinalities differ, tensors are as wide as the largest; the surplus entries map to
 * themselves and hold zeros.
 */
public final class Rings implements Module {
  private final int width;
  private final boolean ragged;
  private final Buffer cardinalities; // [D, 1]
  private final Buffer surplus; // [D, K], true where k >= K_d
  private final Buffer symbols; // [K]

  public Rings(Space positions, int width) {
    int size = positions.size();
    this.width = width;
    this.ragged = positions.cardinalities().stream().anyMatch(k -> k < width);
    this.cardinalities =
        Buffer.longs(
            positions.cardinalities().stream().mapToLong(Integer::longValue).toArray(), size, 1);
    boolean[] beyond = new boolean[size * width];
    for (int d = 0; d < size; d++) {
      int start = d * width;
      Arrays.fill(beyond, start + positions.cardinality(d), start + width, true);
    }
    this.surplus = Buffer.flags(beyond, size, width);
    this.symbols = Buffer.longs(IntStream.range(0, width).boxed().toList());
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.constant(cardinalities);
    registry.constant(surplus);
    registry.constant(symbols);
  }

  /**
   * Log-weights with minus infinity where there is no such symbol. {@code [B, n, K]} at {@code from
   * …}.
   */
  public Tensor masked(Tensor logits, int from, EvaluationContext context) {
    if (!ragged) {
      return logits;
    }
    Tensor none = context.get(surplus).narrow(0, from, logits.size(-2));
    return logits.masked_fill(none, new Scalar(Double.NEGATIVE_INFINITY));
  }

  /** As many rows of symbol 0, int64 {@code [B, D]}. */
  public Tensor rows(long count, EvaluationContext context) {
    Tensor moduli = context.get(cardinalities);
    return Tensors.zeros(moduli, count, moduli.size(0));
  }

  /** The shift the logits choose, {@code [B, n]}. */
  Tensor chosenShift(Tensor logits, int from, EvaluationContext context) {
    return Tensors.argmax(masked(logits, from, context));
  }

  /** {@code a + b mod K_d}, elementwise {@code [B, n]}. */
  Tensor add(Tensor a, Tensor b, int from, EvaluationContext context) {
    return a.add(b).remainder(modulus(from, a.size(1), context));
  }

  /** {@code a * b mod K_d}, elementwise {@code [B, n]}. */
  Tensor multiply(Tensor a, Tensor b, int from, EvaluationContext context) {
    return a.mul(b).remainder(modulus(from, a.size(1), context));
  }

  /** {@code a - b mod K_d} at all positions, {@code [B, D]}. */
  Tensor subtract(Tensor a, Tensor b, EvaluationContext context) {
    return a.sub(b).remainder(modulus(0, a.size(1), context));
  }

  /** {@code 0 … K-1}, int64. */
  Tensor symbols(EvaluationContext context) {
    return context.get(symbols);
  }

  private Tensor modulus(int from, long count, EvaluationContext context) {
    return context.get(cardinalities).narrow(0, from, count).squeeze(1); // [n]
  }

  /** {@code data - shift mod K_d} at all positions, with the shadow's gradient. */
  Symbols shiftBack(Symbols data, Tensor logits, EvaluationContext context) {
    Tensor masked = masked(logits, 0, context);
    Tensor shift = Tensors.argmax(masked); // [B, D]
    Tensor ids = subtract(data.ids(), shift, context);
    if (data.evidence() != null && data.evidence().targets() == null) {
      return new Symbols(ids, null, data.evidence().classified(masked, data.ids()));
    }
    if (data.evidence() != null) {
      Tensor left = index(data.ids().unsqueeze(-1).sub(symbols(context)), context);
      return new Symbols(ids, null, mixture(data.evidence(), masked, left));
    }
    if (!data.hasOneHot()) {
      return Symbols.of(ids);
    }
    return withGradientOf(
        () -> {
          Tensor soft = masked.div(new Scalar(context.temperature())).softmax(-1); // [B, D, K]
          Tensor ofShift =
              soft.gather(-1, index(data.ids().unsqueeze(-1).sub(symbols(context)), context));
          if (!data.carriesGradient()) {
            return ofShift;
          }
          Tensor source = index(symbols(context).add(shift.unsqueeze(-1)), context);
          return ofShift.add(data.oneHot().gather(-1, source));
        },
        ids);
  }

  /**
   * What a mixture of moves says about symbols.
   *
   * @param logits of the moves, {@code [B, D, K]}
   * @param moved where each move takes the symbol, {@code [B, D, K]}
   */
  static Symbols.Evidence mixture(Symbols.Evidence before, Tensor logits, Tensor moved) {
    if (before.targets() == null) {
      throw new IllegalStateException("this map can't be trained as a classifier");
    }
    return Scope.handUp(
        () -> {
          Tensor target = before.targets().expand(moved.size(0), -1, -1).gather(-1, moved);
          Tensor likelihood = logits.log_softmax(-1).add(target).logsumexp(-1); // [B, D]
          return before.plus(likelihood.sum(1));
        },
        evidence -> List.of(evidence.logLikelihood()));
  }

  /** Reduces indices modulo K_d, and sends each surplus entry to itself. {@code [B, D, K]} */
  Tensor index(Tensor unreduced, EvaluationContext context) {
    Tensor reduced = unreduced.remainder(context.get(cardinalities));
    return ragged ? torch.where(context.get(surplus), symbols(context), reduced) : reduced;
  }

  /** The exact one-hot of ids, with the gradient of another tensor. */
  Symbols withGradientOf(Supplier<Tensor> carrier, Tensor ids) {
    // A dozen tensors as wide as the shadow go into it: of a large vocabulary, keep only the
    // result.
    Tensor oneHot =
        Scope.handUp(
            () -> {
              Tensor gradient = Tensors.gradientOnly(carrier.get());
              return Tensors.oneHot(ids, width, gradient.scalar_type()).add(gradient);
            });
    return new Symbols(ids, oneHot, null);
  }
}
