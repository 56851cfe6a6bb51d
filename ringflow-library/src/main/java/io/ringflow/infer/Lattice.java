package io.ringflow.infer;

import io.ringflow.internal.checks.Checks;
import java.util.ArrayList;
import java.util.List;

/**
 * A square lattice, whose sites are positions in row-major order: site {@code (y, x)} is position
 * {@code y * columns + x}.
 *
 * @param rows how many sites stand below each other, at least 1
 * @param columns how many sites stand beside each other, at least 1
 * @param periodic whether the last row and column neighbour the first ones: a torus
 */
public record Lattice(int rows, int columns, boolean periodic) {
  /** Checks the sizes. */
  public Lattice {
    Checks.atLeast("rows", rows, 1);
    Checks.atLeast("columns", columns, 1);
    if ((long) rows * columns > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "a lattice of " + rows + " x " + columns + " sites is too large");
    }
  }

  /** A torus of as many rows as columns. */
  public static Lattice torus(int side) {
    return new Lattice(side, side, true);
  }

  /** The number of sites. */
  public int sites() {
    return rows * columns;
  }

  /**
   * The pairs of neighbours.
   *
   * <p>Each pair is listed once, with one exception that makes the torus of 2 rows or columns the
   * model that formulae for tori speak of: along a periodic side of 2 sites the way forward and the
   * way around join the same two sites, and both edges are listed. Along a side of 1 site there is
   * no edge.
   */
  public List<Edge> edges() {
    List<Edge> edges = new ArrayList<>();
    for (int y = 0; y < rows; y++) {
      for (int x = 0; x < columns; x++) {
        int site = y * columns + x;
        if (x + 1 < columns || (periodic && columns > 1)) {
          edges.add(new Edge(site, y * columns + (x + 1) % columns));
        }
        if (y + 1 < rows || (periodic && rows > 1)) {
          edges.add(new Edge(site, (y + 1) % rows * columns + x));
        }
      }
    }
    return List.copyOf(edges);
  }
}
