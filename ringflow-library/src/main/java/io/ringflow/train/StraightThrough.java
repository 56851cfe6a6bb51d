package io.ringflow.train;

import io.ringflow.spi.BoundMap;
import io.ringflow.spi.BoundMap.Alternatives;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;

/**
 * The straight-through estimate of section 3.3 of the paper, with memory linear in K.
 *
 * <h2>The gradient in O(K)</h2>
 *
 * Were data {@code y} and shift {@code m} soft vectors of K probabilities, {@code z = y - m (mod
 * K)} would be their circular correlation
 *
 * <pre>    z_j = sum_k m_k y_(j+k)    so    dz_j/dm_k = y_(j+k)    and    dz_j/dy_i = m_(i-j).
 * </pre>
 *
 * Written out that is a K x K cube a symbol. But in the forward pass both are one-hot, say y at v
 * and m at s, and the gradients collapse to a re-indexing of the gradient g that arrives at z:
 *
 * <pre>    dL/dm_k = g_(v-k)          dL/dy_i = g_(i-s).</pre>
 *
 * The same holds for every map. Alternative k of a choice would take the symbol to {@code
 * target(k)}, so its weight gets {@code g_target(k)}: what autograd makes of a {@code scatter_add}
 * of the weights to their targets. The chosen move takes data symbol {@code preimage(j)} to j, so
 * the data's one-hot gets its gradient through a {@code gather} at the preimages. The sum of both
 * is added with {@link Tensors#gradientOnly}: the one-hot's value stays that of the integer result.
 */
final class StraightThrough implements StepEstimator {
  private final UnaryOperator<Tensor> tempered;
  private final int width;

  /**
   * The estimator of a step.
   *
   * @param tempered divides logits by the temperature
   * @param width of the one-hots; 0 where no layer has weights, and so none needs a gradient
   */
  StraightThrough(UnaryOperator<Tensor> tempered, int width) {
    this.tempered = tempered;
    this.width = width;
  }

  /** A base alone learns from ids, and its alphabet may be too large for one-hots. */
  @Override
  public Symbols data(Tensor ids) {
    return width == 0 ? Symbols.of(ids) : Symbols.withOneHot(ids, width);
  }

  @Override
  public Symbols inverse(
      BoundMap map, Symbols data, Tensor positions, Tensor logits, EvaluationContext context) {
    BoundMap.Move move = map.inverse(data.ids(), logits, context);
    if (!data.hasOneHot()) {
      return Symbols.of(move.ids());
    }
    // A dozen tensors as wide as the one-hot go into it: of a large vocabulary, keep only the
    // result.
    Tensor oneHot =
        Scope.handUp(
            () -> {
              Tensor gradient = Tensors.gradientOnly(carrier(move, data));
              return Tensors.oneHot(move.ids(), data.oneHot().size(-1), gradient.scalar_type())
                  .add(gradient);
            });
    return new Symbols(move.ids(), oneHot);
  }

  private Tensor carrier(BoundMap.Move move, Symbols data) {
    Tensor carrier = null;
    for (Alternatives choice : move.alternatives(tempered)) {
      Tensor soft = choice.logits().softmax(-1); // [B, D, n]
      Tensor before = carrier == null ? Tensors.zeros(soft, data.oneHot().shape()) : carrier;
      carrier = before.scatter_add(-1, choice.targets(), soft);
    }
    return data.carriesGradient()
        ? carrier.add(data.oneHot().gather(-1, move.preimages()))
        : carrier;
  }

  /** The base's log-probability has the gradient already, through the one-hot. */
  @Override
  public Tensor withGradient(Tensor logProb) {
    return logProb;
  }
}
