package io.ringflow.compress;

import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.mixing.DecisionCoding;
import io.ringflow.layer.Rearrangement;
import java.util.ArrayList;
import java.util.List;

/**
 * What the model's probabilities at a base position say of the columns that it stands for, one
 * after the other: the log-odds at the nodes of their trees, and these as integers.
 *
 * <p>Both ends must get the same integers, though their probabilities differ in the last bits. So
 * log-odds are moved by an offset before they are rounded, which the encoder chooses for every
 * block such that none lies within {@link #GUARD} of where rounding turns.
 */
final class ModelOdds {
  /** How many offsets there are. */
  static final int OFFSETS = 32;

  /** In units of log-odds; errors are below 1e-11. */
  private static final double GUARD = 1e-9;

  private static final int MAX = 12 * DecisionCoding.UNIT - 1;

  private final List<CellColumn> columns;
  private final List<List<Integer>> sources; // of each turn
  private final double[] joint;
  private final double[] symbols;
  private final double[] ranks;
  private final double[] below;
  private SymbolTree tree;

  ModelOdds(List<CellColumn> columns, Conditionals conditionals, Rearrangement positions) {
    this.columns = columns;
    sources = new ArrayList<>();
    for (int turn = 0; turn < conditionals.turns().size(); turn++) {
      sources.add(positions.sources().get(conditionals.position(turn)));
    }
    int most = columns.stream().mapToInt(CellColumn::ranks).max().orElse(1);
    joint = new double[conditionals.turns().maxCardinality()];
    symbols = new double[most];
    ranks = new double[most];
    below = new double[most];
  }

  /** The columns of a turn. */
  List<Integer> sources(int turn) {
    return sources.get(turn);
  }

  /** All columns, in the order in which they are coded. */
  int[] order() {
    return sources.stream().flatMap(List::stream).mapToInt(Integer::intValue).toArray();
  }

  /** Takes the probabilities of a turn. */
  void take(int turn, double[] logProbs, int from) {
    int size = 1;
    for (int column : sources.get(turn)) {
      size *= columns.get(column).ranks();
    }
    for (int i = 0; i < size; i++) {
      joint[i] = Math.exp(logProbs[from + i]);
    }
  }

  /**
   * Goes on to a column of the turn.
   *
   * @param digit which one
   * @param prefix the symbols of those before it, as one number
   */
  void column(int turn, int digit, int prefix) {
    List<Integer> own = sources.get(turn);
    CellColumn column = columns.get(own.get(digit));
    int inner = 1;
    for (int i = digit + 1; i < own.size(); i++) {
      inner *= columns.get(own.get(i)).ranks();
    }
    int size = column.ranks();
    for (int symbol = 0; symbol < size; symbol++) {
      int begin = (prefix * size + symbol) * inner;
      double sum = 0;
      for (int i = begin; i < begin + inner; i++) {
        sum += joint[i];
      }
      symbols[symbol] = sum;
    }
    for (int rank = 0; rank < size; rank++) {
      ranks[rank] = symbols[column.symbol(rank)];
    }
    tree = column.tree();
    tree.sum(ranks, below);
  }

  /** The log-odds at a node of the column, in units of {@link DecisionCoding#UNIT}. */
  double at(int node) {
    double odds = DecisionCoding.UNIT * tree.logOdds(node, ranks, below);
    return Double.isNaN(odds) ? 0 : Math.max(-2 * MAX, Math.min(2 * MAX, odds)); // 0 : 0
  }

  /** Log-odds as an integer. */
  static int rounded(double odds, int offset) {
    return Math.max(-MAX, Math.min(MAX, (int) Math.floor(odds + moved(offset))));
  }

  private static double moved(int offset) {
    return (offset + 0.5) / OFFSETS;
  }

  /** Whether the rounding of log-odds does not depend on their last digits. */
  static boolean isSafe(double odds, int offset) {
    double moved = odds + moved(offset);
    double beyond = moved - Math.floor(moved);
    double width = GUARD * DecisionCoding.UNIT;
    return Math.abs(odds) > MAX + 2 || (beyond >= width && beyond <= 1 - width);
  }
}
