package io.ringflow;

import org.bytedeco.pytorch.Tensor;

/** A bound base: probabilities of rows, and draws. */
public interface Distribution extends Parametric {
  /**
   * Natural log-probability of each row, {@code [B]}; with a gradient through the shadow where
   * there is one.
   */
  Tensor logProb(Symbols symbols, Pass pass);

  /**
   * Natural log-probability of every symbol at each position, given what this base knows there of
   * the others: of which {@link #logProb} sums up those that occur.
   *
   * @return {@code [B or 1, D, K]}, where K is the largest cardinality; minus infinity where a
   *     position has no such symbol
   */
  Tensor logProbs(Symbols symbols, Pass pass);

  /**
   * Draws rows, each from its own uniform numbers, so that a draw does not depend on the device or
   * on its neighbours.
   *
   * @param uniforms float64 in {@code [0, 1)}, {@code [B, D]}; column t is spent on the position
   *     that is drawn t-th
   * @return int64 {@code [B, D]}
   */
  Tensor sample(Tensor uniforms, Pass pass);

  /**
   * The row of the likeliest symbols: at each position, in the order they are drawn in, the one
   * that is likeliest given those before it. Not always the likeliest row.
   *
   * @param rows how many, B; they differ where what is given does
   * @return int64 {@code [B, D]}
   */
  Tensor greedy(long rows, Pass pass);

  /** Network calls that {@link #sample} makes one after the other. */
  int passes();
}
