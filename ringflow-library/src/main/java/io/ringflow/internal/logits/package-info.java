/**
 * From logits to symbols: those of positions with fewer symbols than the widest ({@link
 * io.ringflow.internal.logits.SymbolLogits}), biases that give learning a start ({@link
 * io.ringflow.internal.logits.LogitBias}), and categorical log-probabilities and samples ({@link
 * io.ringflow.internal.logits.Categorical}).
 */
package io.ringflow.internal.logits;
