package io.ringflow.spi;

import java.util.Optional;
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

  /**
   * Begins to count rows, where they determine by counting the weights that make the logits at a
   * position log-probabilities of the symbol there, given what the network sees; empty unless
   * overridden. Rows have all D positions, in the order of the groups of a causal conditioner.
   */
  default Optional<Counts> counts() {
    return Optional.empty();
  }
}
