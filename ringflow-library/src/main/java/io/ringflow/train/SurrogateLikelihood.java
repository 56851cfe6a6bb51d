package io.ringflow.train;

import io.ringflow.spi.BoundMap;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;

/**
 * An estimator that takes the gradient of a surrogate log-likelihood, which every layer adds to by
 * its own moves alone; no gradient runs through symbols.
 */
abstract class SurrogateLikelihood implements StepEstimator {
  /** That of the step, which outlives those of single layers. */
  private final PointerScope scope = PointerScope.getInnerScope();

  private Tensor sum; // [B]; null before the first layer

  /** The surrogate log-likelihood of the symbols that a layer moves, {@code [B]}. */
  abstract Tensor logLikelihood(BoundMap.Move move, Tensor ids, Tensor positions);

  @Override
  public final Symbols data(Tensor ids) {
    return Symbols.of(ids);
  }

  @Override
  public final Symbols inverse(
      BoundMap map, Symbols data, Tensor positions, Tensor logits, EvaluationContext context) {
    BoundMap.Move move = map.inverse(data.ids(), logits, context);
    Tensor more = Scope.handUp(() -> logLikelihood(move, data.ids(), positions));
    sum = sum == null ? more : sum.add(more);
    scope.attach(sum);
    return Symbols.of(move.ids());
  }

  @Override
  public final Tensor withGradient(Tensor logProb) {
    return sum == null ? logProb : logProb.add(Tensors.gradientOnly(sum));
  }
}
