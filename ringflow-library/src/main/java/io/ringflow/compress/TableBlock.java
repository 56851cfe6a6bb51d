package io.ringflow.compress;

/** The cells of a block of rows, column by column; whoever codes fills or reads its arrays. */
final class TableBlock {
  private final int rows;
  private final int[][] ranks;
  private final long[][] values;
  private final byte[][] decimals;
  private final byte[][] quoted;
  private final double[][] features;

  TableBlock(int rows, int columns) {
    this.rows = rows;
    ranks = new int[columns][rows];
    values = new long[columns][rows];
    decimals = new byte[columns][rows];
    quoted = new byte[columns][rows];
    features = new double[columns][rows];
  }

  /** Takes the cells of a row, and which of them are quoted. */
  void set(int row, CellColumn.Cell[] cells, byte[] marks) {
    for (int c = 0; c < cells.length; c++) {
      ranks[c][row] = cells[c].rank();
      values[c][row] = cells[c].value();
      decimals[c][row] = (byte) cells[c].decimals();
      quoted[c][row] = marks[c];
    }
  }

  int rows() {
    return rows;
  }

  /** Of each column and row; -1 for an escaped cell. */
  int[][] ranks() {
    return ranks;
  }

  /** See {@link CellColumn.Cell}. */
  long[][] values() {
    return values;
  }

  /** See {@link CellColumn.Cell}. */
  byte[][] decimals() {
    return decimals;
  }

  /** 1 where a cell is quoted. */
  byte[][] quoted() {
    return quoted;
  }

  /** See {@link NumberForecast#feature}. */
  double[][] features() {
    return features;
  }

  /** All that a cell says, for contexts. */
  long key(int column, int row) {
    return (ranks[column][row] + 1L) * 0x9E3779B97F4A7C15L + values[column][row];
  }
}
