package io.ringflow.internal.logits;

import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Independent categorical distributions, one at each position. */
public final class Categorical {
  private Categorical() {}

  /**
   * Sums the log-probabilities of the symbols: {@code logProbs} is {@code [B or 1, D, K]}, the
   * result {@code [B]}.
   */
  public static Tensor logProb(Symbols symbols, Tensor logProbs) {
    if (symbols.carriesGradient()) {
      // Beyond a position's symbols the log-probability is minus infinity and the one-hot zero:
      // keep NaN out.
      Tensor impossible = logProbs.eq(new Scalar(Double.NEGATIVE_INFINITY));
      Tensor finite = logProbs.masked_fill(impossible, new Scalar(0.0));
      return symbols.oneHot().mul(finite).sum(new long[] {1, 2});
    }
    Tensor rows = logProbs.expand(symbols.ids().size(0), -1, -1);
    return rows.gather(-1, symbols.ids().unsqueeze(-1)).squeeze(-1).sum(1);
  }

  /**
   * The distributions whose probabilities are powers of others, each over their sum.
   *
   * @param logProbs {@code [B or 1, n, K]}
   * @param temperature float64 {@code [1]}, one over the exponent
   * @return natural log-probabilities in float64 {@code [B or 1, n, K]}
   */
  public static Tensor tempered(Tensor logProbs, Tensor temperature) {
    Tensor exact = logProbs.to(ScalarType.Double);
    // The likeliest symbol's is 0 at any temperature, however low: the others may fall to minus
    // infinity beside it, but never all of them.
    return exact.sub(exact.amax(new long[] {-1}, true)).div(temperature).log_softmax(-1);
  }

  /**
   * Samples by inverting the cumulative distribution.
   *
   * @param logProbs {@code [B or 1, n, K]}
   * @param uniforms float64 {@code [B, n]}
   * @return int64 {@code [B, n]}
   */
  public static Tensor sample(Tensor logProbs, Tensor uniforms) {
    Tensor cumulative = logProbs.to(ScalarType.Double).exp().cumsum(-1); // [., n, K]
    Tensor total = cumulative.narrow(-1, cumulative.size(-1) - 1, 1); // [., n, 1]
    Tensor threshold = uniforms.unsqueeze(-1).mul(total); // [B, n, 1]
    // The second condition matters when the threshold rounds up to the total: the answer is then
    // the last symbol that has any probability, and never one that can't occur.
    return cumulative.le(threshold).logical_and(cumulative.lt(total)).sum(-1);
  }
}
