package io.ringflow.spi;

import java.util.List;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;

/**
 * A symbol map bound to some positions: a permutation of each position's symbols, chosen by logits.
 *
 * <p>To write one: compute ids by integer arithmetic alone, so that {@link #forward} and {@link
 * #inverse} undo each other for any logits, and offer in {@link Move} what the objectives that may
 * train the map need.
 */
public interface BoundMap extends Module {
  /**
   * From base to data.
   *
   * @param ids int64 {@code [B, n]}: the symbols at the positions {@code from … from + n - 1}
   * @param logits {@code [B, n, width]}
   * @return int64 {@code [B, n]}
   */
  Tensor forward(Tensor ids, Tensor logits, int from, EvaluationContext context);

  /**
   * From data to base, at all positions.
   *
   * @param ids int64 {@code [B, D]}
   * @param logits {@code [B, D, width]}
   */
  Move inverse(Tensor ids, Tensor logits, EvaluationContext context);

  /** What the map did with some symbols, and what it could have done instead. */
  interface Move {
    /** The base symbols, int64 {@code [B, D]}. */
    Tensor ids();

    /**
     * The choices that make up the move, each with all its alternatives while the other choices
     * stay as they are.
     *
     * @param tempered divides logits by a temperature
     */
    default List<Alternatives> alternatives(UnaryOperator<Tensor> tempered) {
      throw new UnsupportedOperationException("this map has no alternatives to weigh");
    }

    /** The data symbol that the chosen move takes to each base symbol, int64 {@code [B, D, K]}. */
    default Tensor preimages() {
      throw new UnsupportedOperationException("this map has no straight-through gradient");
    }

    /**
     * The logits read as those of a classifier of the data symbol, {@code [B, D, K]}; minus
     * infinity where a position has no such symbol.
     */
    default Tensor symbolLogits() {
      throw new UnsupportedOperationException("this map's logits do not classify symbols");
    }
  }

  /**
   * The alternatives of one choice.
   *
   * @param logits {@code [B, D, n]}; minus infinity where an alternative does not exist
   * @param targets the base symbol that each alternative leads to, int64 {@code [B, D, n]}
   */
  record Alternatives(Tensor logits, Tensor targets) {}
}
