package io.ringflow.spi;

import io.ringflow.core.Groups;
import io.ringflow.internal.logits.Categorical;
import org.bytedeco.pytorch.Tensor;

/** A bound base: probabilities of rows, and draws. */
public interface Distribution extends Module {
  /**
   * Natural log-probability of each row, {@code [B]}; with a gradient through the shadow where
   * there is one.
   */
  Tensor logProb(Symbols symbols, EvaluationContext context);

  /**
   * Natural log-probability of every symbol at each position, given what this base knows there of
   * the others: of which {@link #logProb} sums up those that occur.
   *
   * @return {@code [B or 1, D, K]}, where K is the largest cardinality; minus infinity where a
   *     position has no such symbol
   */
  Tensor logProbs(Symbols symbols, EvaluationContext context);

  /**
   * Makes rows, group after group of {@link #groups}: what {@link #sample}, {@link #greedy} and
   * decoders of compressed files have in common.
   *
   * @param rows how many, B; their probabilities differ where what is given does
   * @param choice of the symbols of each group
   * @return int64 {@code [B, D]}
   */
  Tensor choose(long rows, Choice choice, EvaluationContext context);

  /** Chooses the symbols of the positions that come next, given those that have been chosen. */
  @FunctionalInterface
  interface Choice {
    /**
     * The symbols of one group.
     *
     * @param logProbs natural log-probabilities {@code [B or 1, n, K]} of the group's positions
     * @param from how many positions were chosen before: the place of the first in {@link
     *     Groups#order()}
     * @return int64 {@code [B, n]}
     */
    Tensor symbols(Tensor logProbs, int from);
  }

  /** Which positions are chosen together, and in what order. */
  Groups groups();

  /**
   * Draws rows, each from its own uniform numbers, so that a draw does not depend on the device or
   * on its neighbours.
   *
   * @param uniforms float64 in {@code [0, 1)}, {@code [B, D]}; column t is spent on the position
   *     that is drawn t-th
   * @return int64 {@code [B, D]}
   */
  default Tensor sample(Tensor uniforms, EvaluationContext context) {
    return choose(
        uniforms.size(0),
        (logProbs, from) -> Categorical.draw(logProbs, uniforms.narrow(1, from, logProbs.size(1))),
        context);
  }

  /**
   * The row of the likeliest symbols: at each position, in the order they are drawn in, the one
   * that is likeliest given those before it. Not always the likeliest row.
   *
   * @param rows how many, B; they differ where what is given does
   * @return int64 {@code [B, D]}
   */
  default Tensor greedy(long rows, EvaluationContext context) {
    return choose(
        rows, (logProbs, from) -> Tensors.argmax(logProbs).expand(new long[] {rows, -1}), context);
  }

  /** Network calls that {@link #choose} makes one after the other. */
  int passes();
}
