package io.ringflow.compress;

/**
 * The cells of a block of rows, column by column.
 *
 * @param ranks -1 for an escaped cell
 * @param values see {@link CellColumn.Cell}
 * @param decimals see {@link CellColumn.Cell}
 * @param quoted 1 where a cell is
 * @param features see {@link NumberForecast}
 */
record TableBlock(
    int rows,
    int[][] ranks,
    long[][] values,
    byte[][] decimals,
    byte[][] quoted,
    double[][] features) {
  TableBlock(int rows, int columns) {
    this(
        rows,
        new int[columns][rows],
        new long[columns][rows],
        new byte[columns][rows],
        new byte[columns][rows],
        new double[columns][rows]);
  }

  CellColumn.Cell cell(int column, int row) {
    return new CellColumn.Cell(ranks[column][row], values[column][row], decimals[column][row]);
  }

  /** All that a cell says, for contexts. */
  long key(int column, int row) {
    return (ranks[column][row] + 1L) * 0x9E3779B97F4A7C15L + values[column][row];
  }
}
