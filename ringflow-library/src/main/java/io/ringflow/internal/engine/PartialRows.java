package io.ringflow.internal.engine;

import io.ringflow.layer.Rearrangement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The distribution of texts that are shorter than a row of their model.
 *
 * <p>Where layers only rearrange positions, a text of m symbols is a row whose later positions hold
 * symbol 0 for certain: the base's conditional distributions are restricted to the symbols that
 * agree ({@link Constraint}), and what is certain costs nothing. For a model from left to right
 * that is the probability of a row's beginning.
 *
 * <p>Where layers move symbols, a row's later positions decide how the first ones are moved, and no
 * part of it has a probability of its own: symbols are then independent, by their training
 * frequencies.
 *
 * <p>Either way the probabilities of all texts of a length sum to one.
 */
public final class PartialRows {
  private final Rearrangement positions; // null where layers move symbols
  private final double[] symbolLogProbs;

  /**
   * The partial rows of a model over one alphabet.
   *
   * @param positions of the model; null where its layers move symbols
   * @param counts of the symbols in the training text, to which half a symbol each is added
   */
  public PartialRows(Rearrangement positions, List<Long> counts) {
    double total = counts.stream().mapToLong(Long::longValue).sum() + 0.5 * counts.size();
    this.positions = positions;
    this.symbolLogProbs =
        counts.stream().mapToDouble(count -> Math.log((count + 0.5) / total)).toArray();
  }

  /** Whether a short text is a row with certain symbols at its end. */
  public boolean areRows() {
    return positions != null;
  }

  /** What a row of so many free symbols may be. */
  public Constraint constraint(int known) {
    Map<Integer, Integer> certain = new HashMap<>();
    for (int d = known; d < positions.dataSpace().size(); d++) {
      certain.put(d, 0);
    }
    return Constraint.of(positions, certain);
  }

  /** Natural log-probabilities of independent symbols. */
  public double[] symbolLogProbs() {
    return symbolLogProbs;
  }

  /**
   * Natural log-probability of a text that is shorter than a row.
   *
   * @param conditionals of the model
   */
  public double logProb(int[] text, Conditionals conditionals) {
    double[] sum = new double[1];
    if (!areRows()) {
      for (int symbol : text) {
        sum[0] += symbolLogProbs[symbol];
      }
      return sum[0];
    }
    int[] row = new int[positions.dataSpace().size()];
    System.arraycopy(text, 0, row, 0, text.length);
    Constraint constraint = constraint(text.length);
    conditionals.visit(
        new int[][] {row},
        (unused, turn, symbol, logProbs, from) -> {
          int position = conditionals.position(turn);
          int cardinality = conditionals.turns().cardinality(turn);
          sum[0] +=
              constraint.restricts(position)
                  ? constraint.conditional(position, logProbs, from, cardinality)[symbol]
                  : logProbs[from + symbol];
        });
    return sum[0];
  }
}
