package io.ringflow.spi;

import org.bytedeco.pytorch.Tensor;

/** A bound network: from the symbols it may see to the logits that choose how others are moved. */
public interface Conditioner extends Module {
  /**
   * All logits at once.
   *
   * @param symbols all D positions; the network ignores those it must not see. Where they carry a
   *     gradient, so do the logits
   * @return {@code [B, M, width]}: the moved positions of a bipartite layer in ascending order, or
   *     all D of a causal one
   */
  Tensor logits(Symbols symbols, EvaluationContext context);
}
