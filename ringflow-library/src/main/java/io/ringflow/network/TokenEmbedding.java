package io.ringflow.network;

import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Tensor;

/** The vectors by which symbols enter a network: one for each token, a symbol or several. */
interface TokenEmbedding extends Module {
  /** Vectors of all tokens, {@code [B, T, H]}. */
  Tensor apply(Symbols symbols, EvaluationContext context);

  /** Vectors of the tokens {@code from …}, {@code [B, n, H]}, of the ids of their symbols. */
  Tensor at(int from, Tensor ids, EvaluationContext context);
}
