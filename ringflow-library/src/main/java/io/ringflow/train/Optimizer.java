package io.ringflow.train;

/** What makes an update of a gradient. */
public enum Optimizer {
  /** AdamW (Loshchilov and Hutter 2019) for every weight. */
  ADAMW,
  /**
   * Muon (Jordan et al. 2024) for the matrices of hidden layers, AdamW for the rest: a matrix moves
   * by the orthogonal matrix nearest to its averaged gradient, so that directions with small
   * gradients are learned as fast as those with large ones.
   *
   * <p>Matrices are those of {@link io.ringflow.network.Transformer}. Embeddings, positions and
   * output heads are none: their rows stand for symbols, which are learned one by one. Masked
   * matrices ({@link io.ringflow.network.Made}) are none either: the nearest orthogonal matrix
   * would not keep to the mask.
   */
  MUON
}
