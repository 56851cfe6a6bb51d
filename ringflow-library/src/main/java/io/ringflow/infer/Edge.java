package io.ringflow.infer;

import io.ringflow.internal.checks.Checks;

/**
 * Two positions that depend on each other directly.
 *
 * @param first a position
 * @param second another position
 */
public record Edge(int first, int second) {
  /** Checks that the positions are two. */
  public Edge {
    Checks.atLeast("an edge's position", Math.min(first, second), 0);
    if (first == second) {
      throw new IllegalArgumentException(
          "an edge must join two positions, but joins " + first + " with itself");
    }
  }
}
