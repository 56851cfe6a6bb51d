package io.ringflow.train;

import io.ringflow.spi.BoundMap;
import io.ringflow.spi.BoundMap.Alternatives;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;

/**
 * Mixtures of moves: a layer that takes symbol y by move m with probability {@code pi(m)} towards a
 * base {@code q} makes it as likely as {@code sum_m pi(m) q(target(m))}, a smooth function of its
 * logits, unlike the likelihood of the move they choose.
 */
final class Mixture extends SurrogateLikelihood {
  private final Tensor base; // log q at each position, [1, D, K], without gradient

  Mixture(Tensor base) {
    this.base = base;
  }

  @Override
  Tensor logLikelihood(BoundMap.Move move, Tensor ids, Tensor positions) {
    Tensor own = base.index_select(1, positions).expand(ids.size(0), -1, -1); // [B, n, K]
    Tensor sum = null;
    for (Alternatives choice : move.alternatives(UnaryOperator.identity())) {
      Tensor target = own.gather(-1, choice.targets());
      Tensor each = choice.logits().log_softmax(-1).add(target).logsumexp(-1); // [B, n]
      sum = sum == null ? each.sum(1) : sum.add(each.sum(1));
    }
    return sum;
  }
}
