package io.ringflow.table;

import java.util.List;
import java.util.stream.IntStream;

/** A table whose missing cells a model has filled, once or several times. Immutable. */
public final class Completions {
  private final List<DataTable> tables;
  private final double[][] probabilities; // [table][row]
  private final double[] logProbKnown;
  private final double[] effective; // 0 where exact
  private final int filled;

  Completions(
      List<DataTable> tables,
      double[][] probabilities,
      double[] logProbKnown,
      double[] effective,
      int filled) {
    this.tables = List.copyOf(tables);
    this.probabilities = probabilities;
    this.logProbKnown = logProbKnown;
    this.effective = effective;
    this.filled = filled;
  }

  /** The filled tables: one of the most likely values, or one for each draw. */
  public List<DataTable> tables() {
    return tables;
  }

  /** How many cells of the table were missing and could be filled. */
  public int filledCells() {
    return filled;
  }

  /**
   * The probability of each row's filled cells together, given the row's other cells and that there
   * are values; 1 where nothing was missing. A number counts as its bin.
   *
   * @param table its index, from 0
   */
  public double[] probabilities(int table) {
    return probabilities[table].clone();
  }

  /**
   * The natural log-likelihood of what each row says: of its known cells, with missing ones summed
   * out; and, where training had missing cells, of those having values. The mean of many rows of
   * estimates is slightly too low.
   */
  public double[] logProbKnown() {
    return logProbKnown.clone();
  }

  /** Whether all completions of a row were looked at; otherwise they are out of samples. */
  public boolean isExact(int row) {
    return effective[row] == 0;
  }

  /** How many independent samples those of a row are worth that is not exact; else 0. */
  public double effectiveSamples(int row) {
    return effective[row];
  }

  /** How many rows are not exact. */
  public int sampledRows() {
    return (int) IntStream.range(0, effective.length).filter(row -> !isExact(row)).count();
  }
}
