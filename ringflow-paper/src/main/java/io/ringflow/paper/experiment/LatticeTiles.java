package io.ringflow.paper.experiment;

import io.ringflow.paper.harness.Outcome.Heatmap;

/** Pictures of many small lattices at once, as in the paper's appendix. */
final class LatticeTiles {
  private static final int ACROSS = 10;
  private static final int DOWN = 6;

  /** How many lattices a picture shows. */
  static final int COUNT = ACROSS * DOWN;

  private LatticeTiles() {}

  /**
   * Lattices in a grid, one dark line between them; states count from 1.
   *
   * @param lattices at most {@link #COUNT} rows of {@code side * side} sites
   */
  static Heatmap heatmap(String name, String title, int[][] lattices, int side) {
    int pitch = side + 1;
    double[][] values = new double[ACROSS * pitch - 1][DOWN * pitch - 1];
    for (int i = 0; i < lattices.length; i++) {
      int left = i % ACROSS * pitch;
      int bottom = i / ACROSS * pitch;
      for (int site = 0; site < lattices[i].length; site++) {
        values[left + site % side][bottom + site / side] = lattices[i][site] + 1;
      }
    }
    return new Heatmap(name, title, "", "", values);
  }
}
