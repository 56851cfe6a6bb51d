package io.ringflow.table;

import java.util.Collections;
import java.util.List;

/** A table as symbols, and what the symbols leave out. */
public final class EncodedTable {
  private final int[][] symbols;
  private final double[] extraNats;
  private final List<List<Integer>> unseen;

  EncodedTable(int[][] symbols, double[] extraNats, List<List<Integer>> unseen) {
    this.symbols = symbols;
    this.extraNats = extraNats;
    this.unseen = unseen;
  }

  /**
   * Rows of the codec's space. Where a value is {@link #unseen}, the symbol is 0 and means nothing.
   */
  public int[][] symbols() {
    return symbols;
  }

  /**
   * What a row's log probability gains from naming its values, at most 0: for each value that
   * shares its symbol with others, the log of its share of their training rows. With it, a model's
   * log probability of the symbols is that of the values, over all values seen in training. A
   * number's bin stands for the number: nothing is added for it.
   */
  public double[] extraNats() {
    return extraNats;
  }

  /**
   * The columns, by their place in the codec, where a row has what training never saw: another
   * value, no value, or no number among numbers. Such a row has no probability under any model of
   * the symbols.
   */
  public List<Integer> unseen(int row) {
    return Collections.unmodifiableList(unseen.get(row));
  }

  /** The number of rows. */
  public int size() {
    return symbols.length;
  }

  /** How many rows have something unseen. */
  public int unseenRows() {
    return (int) unseen.stream().filter(columns -> !columns.isEmpty()).count();
  }
}
