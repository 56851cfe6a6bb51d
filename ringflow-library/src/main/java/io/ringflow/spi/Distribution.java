package io.ringflow.spi;

import io.ringflow.core.Groups;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;

/** A bound base: probabilities of rows, and samples. */
public interface Distribution extends Module {
  /**
   * Natural log-probability of each row, {@code [B]}; with a gradient through the one-hot where
   * there is one.
   */
  Tensor logProb(Symbols symbols, EvaluationContext context);

  /**
   * Natural log-probability of every symbol at each position, given the positions that this
   * distribution conditions it on. {@link #logProb} sums those of the symbols that are there.
   *
   * @return {@code [B or 1, D, K]}, where K is the largest cardinality; minus infinity where a
   *     position has no such symbol
   */
  Tensor logProbs(Symbols symbols, EvaluationContext context);

  /**
   * Makes rows group by group, in the order of {@link #groups}. Sampling, greedy search and
   * decompression differ only in the choice.
   *
   * @param rows how many, B
   * @param choice of the symbols of each group
   * @return int64 {@code [B, D]}
   */
  Tensor choose(long rows, Choice choice, EvaluationContext context);

  /**
   * As {@link #choose}, but shows no symbols that none of a group's positions has: the choice gets
   * log-probabilities {@code [B or 1, n, k]}, where k may be less than K. They agree with those of
   * {@link #choose} up to rounding. Unless overridden it shows all.
   */
  default Tensor chooseNarrow(long rows, Choice choice, EvaluationContext context) {
    return choose(rows, choice, context);
  }

  /**
   * Makes only the first groups of rows, for what does not depend on later ones. Unless overridden
   * it makes all, and asks for no choice in later ones.
   *
   * @param rows how many, B
   * @param groups how many, at least 1
   * @param choice of the symbols of each group
   */
  default void chooseFirst(long rows, int groups, Choice choice, EvaluationContext context) {
    int end = groups().starts()[groups];
    choose(
        rows,
        (logProbs, from) ->
            from < end ? choice.symbols(logProbs, from) : Tensors.argmax(logProbs).expand(rows, -1),
        context);
  }

  /** Chooses the symbols of the next group, given those chosen before. */
  @FunctionalInterface
  interface Choice {
    /**
     * The symbols of one group.
     *
     * @param logProbs natural log-probabilities {@code [B or 1, n, K]} of the group's positions
     * @param from how many positions were chosen before: the index of the first in {@link
     *     Groups#order()}
     * @return int64 {@code [B, n]}
     */
    Tensor symbols(Tensor logProbs, int from);
  }

  /** Which positions are chosen together, and in what order. */
  Groups groups();

  /** Network calls that {@link #choose} makes one after the other. */
  int passes();

  /**
   * Begins to count rows of this distribution's space, where they determine weights by counting;
   * empty unless overridden.
   */
  default Optional<Counts> counts() {
    return Optional.empty();
  }

  /** The logits of independent positions, where this distribution consists of just these. */
  default Optional<Marginals> marginals() {
    return Optional.empty();
  }

  /** Free logits of independent positions. All methods must run inside a scope. */
  interface Marginals {
    /** Sets every position to the same frequencies, positive and one for each symbol. */
    void set(double[] frequencies, ParameterValues values);

    /**
     * Moves the probabilities a part of the way towards frequencies.
     *
     * @param frequencies {@code [D, K]}
     * @param share of the way, 0 to 1
     */
    void moveTowards(Tensor frequencies, double share, ParameterValues values);
  }
}
