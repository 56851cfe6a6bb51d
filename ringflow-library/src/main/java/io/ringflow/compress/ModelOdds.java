package io.ringflow.compress;

import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.mixing.DecisionCoding;
import io.ringflow.layer.Rearrangement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * What the model's probabilities at a base position say of the columns that it stands for, one
 * after the other: the log-odds at the nodes of their trees, and these as integers.
 *
 * <p>A column in two parts is coded with the first of them, each of whose symbols is shared by the
 * values it leaves as by training's counts; with the second there is nothing left to code.
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
  private final List<List<Integer>> sources; // of each turn, without second parts
  private final Part[] parts; // of each turn; null for whole columns
  private final double[] symbols;
  private final double[] ranks;
  private final double[] below;
  private double[] joint = {}; // probabilities of a turn
  private int first; // where they begin
  private SymbolTree tree;

  /**
   * A turn that is a part of a column.
   *
   * @param column that it is a part of
   * @param digits of the column's symbols
   * @param shares of the column's symbols among those of the same digit
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Part(int column, int[] digits, double[] shares) {}

  ModelOdds(List<CellColumn> columns, Conditionals conditionals, Rearrangement positions) {
    this.columns = columns;
    sources = new ArrayList<>();
    int[] cardinalities = conditionals.turns().cardinalities().stream().mapToInt(k -> k).toArray();
    parts = new Part[cardinalities.length];
    Set<Integer> begun = new HashSet<>();
    for (int turn = 0; turn < parts.length; turn++) {
      List<Rearrangement.Digit> own = positions.digits().get(conditionals.position(turn));
      boolean isPart = own.stream().anyMatch(Rearrangement.Digit::isPart);
      if (isPart && own.size() > 1) {
        throw new IllegalArgumentException(
            "this model packs a part of a column with others, and can't compress tables");
      }
      List<Integer> here = own.stream().map(Rearrangement.Digit::position).toList();
      if (isPart) {
        parts[turn] = part(columns.get(here.get(0)), own.get(0), cardinalities[turn]);
      }
      sources.add(!isPart || begun.add(here.get(0)) ? here : List.of());
    }
    int most = columns.stream().mapToInt(CellColumn::ranks).max().orElse(1);
    symbols = new double[most];
    ranks = new double[most];
    below = new double[most];
  }

  private static Part part(CellColumn column, Rearrangement.Digit digit, int cardinality) {
    int[] digits = digit.ofSymbols();
    double[] totals = new double[cardinality];
    double[] shares = new double[digits.length];
    for (int rank = 0; rank < shares.length; rank++) {
      int symbol = column.symbol(rank);
      shares[symbol] = column.count(rank);
      totals[digits[symbol]] += shares[symbol];
    }
    Arrays.setAll(shares, symbol -> shares[symbol] / totals[digits[symbol]]);
    return new Part(digit.position(), digits, shares);
  }

  /**
   * The model's symbol at a turn.
   *
   * @param coded the symbols of the columns that are coded with it, as one number
   * @param ranks of all columns that were coded so far
   */
  int symbol(int turn, int coded, IntUnaryOperator ranks) {
    Part part = parts[turn];
    return part == null
        ? coded
        : part.digits[columns.get(part.column).symbol(ranks.applyAsInt(part.column))];
  }

  /** The columns that are coded with a turn. */
  List<Integer> sources(int turn) {
    return sources.get(turn);
  }

  /** All columns, in the order in which they are coded. */
  int[] order() {
    return sources.stream().flatMap(List::stream).mapToInt(Integer::intValue).toArray();
  }

  /** Takes the probabilities of a turn; borrows them. */
  void take(double[] probabilities, int from) {
    joint = probabilities;
    first = from;
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
    Part part = parts[turn];
    for (int symbol = 0; part != null && symbol < size; symbol++) {
      symbols[symbol] = joint[first + part.digits[symbol]] * part.shares[symbol];
    }
    for (int symbol = 0; part == null && symbol < size; symbol++) {
      int begin = first + (prefix * size + symbol) * inner;
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
