package io.ringflow.compress;

import java.util.Arrays;

/**
 * The model's log-odds at the nodes that the cells of a block pass, found before any cell is coded:
 * so that an offset can be chosen by which all of them are rounded safely.
 */
final class TablePaths implements CellCoding.ModelOpinion {
  private final int[] begins; // of each row and turn
  private double[] odds;
  private int size;
  private int at;
  private int offset;

  /** Of so many rows and turns. */
  TablePaths(int count) {
    begins = new int[count];
    odds = new double[8 * count];
  }

  /** Begins to add those of a row and turn. */
  void begin(int index) {
    begins[index] = size;
  }

  /** Adds those on the way to a rank. */
  void add(SymbolTree tree, int rank, ModelOdds model) {
    int node = tree.nodes() == 0 ? -1 : 0;
    while (node >= 0) {
      if (size == odds.length) {
        odds = Arrays.copyOf(odds, 2 * size);
      }
      odds[size++] = model.at(node);
      node = tree.child(node, rank >= tree.middle(node) ? 1 : 0);
    }
  }

  /** Chooses an offset by which all of them are rounded safely; -1 if there is none. */
  int safeOffset() {
    offset = 0;
    while (offset < ModelOdds.OFFSETS && !isSafe()) {
      offset++;
    }
    return offset < ModelOdds.OFFSETS ? offset : -1;
  }

  private boolean isSafe() {
    boolean safe = true;
    for (int i = 0; i < size && safe; i++) {
      safe = ModelOdds.isSafe(odds[i], offset);
    }
    return safe;
  }

  /** Goes to those of a row and turn. */
  void follow(int index) {
    at = begins[index];
  }

  @Override
  public int logOdds(int node) {
    return ModelOdds.rounded(odds[at++], offset);
  }
}
