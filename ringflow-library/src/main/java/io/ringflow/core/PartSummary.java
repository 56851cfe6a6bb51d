package io.ringflow.core;

/**
 * A layer or base in a few words, for people.
 *
 * @param kind such as {@code bipartite}
 * @param positions which ones it is about, such as {@code moves 3 by 4}
 * @param network that it asks, with its sizes; empty for none
 * @param map by which it moves symbols; empty for none
 */
public record PartSummary(String kind, String positions, String network, String map) {
  /** A part of which nothing is known but its type. */
  public static PartSummary of(Object part) {
    return new PartSummary(part.getClass().getSimpleName(), "", "", "");
  }

  /** Such as {@code bipartite with Permute}. */
  @Override
  public String toString() {
    return map.isEmpty() ? kind : kind + " with " + map;
  }
}
