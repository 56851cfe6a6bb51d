package io.ringflow.network;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Conditioner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * No network at all: a row of free logits for every combination of the symbols that are seen (the
 * "embedding layer which returns a trainable location parameter for every unique combination of
 * inputs" of section 4.3).
 *
 * @param nearest how many of the visible positions an output sees, the nearest in the order of
 *     reading, earlier ones before later ones; null for all of them. The number of rows grows as K
 *     to this power
 * @param neighbours for each position of the data, the positions its output may see at all; null
 *     for no such limit. On a lattice, say, nearness is not a matter of the order of sites
 * @param shared whether positions that see the same ones share their rows, and so learn together
 */
@JsonTypeName("table")
public record LookupTable(Integer nearest, List<List<Integer>> neighbours, boolean shared)
    implements Network {
  /** Sees every visible position. */
  public LookupTable() {
    this(null, null, false);
  }

  /** Sees the nearest visible positions. */
  public LookupTable(Integer nearest) {
    this(nearest, null, false);
  }

  /** Sees the visible ones among each position's neighbours. */
  public static LookupTable of(List<List<Integer>> neighbours) {
    return new LookupTable(null, neighbours, false);
  }

  /** The same, with rows shared by positions that see the same ones. */
  public LookupTable sharingRows() {
    return new LookupTable(nearest, neighbours, true);
  }

  /** Checks the number of neighbours. */
  public LookupTable {
    if (nearest != null && nearest < 0) {
      throw new IllegalArgumentException("nearest must not be negative, but is " + nearest);
    }
    neighbours = neighbours == null ? null : neighbours.stream().map(List::copyOf).toList();
  }

  @Override
  public Conditioner bipartite(Space space, Mask mask, Space condition, int width) {
    List<List<Integer>> seen =
        mask.moved().stream()
            .map(position -> nearest(position, allowed(space, position, mask.kept())))
            .toList();
    return new LookupTableConditioner(space, condition, seen, shared, width, new int[0]);
  }

  @Override
  public CausalConditioner causal(Space space, Groups groups, Space condition, int width) {
    List<Integer> positions = groups.order().positions();
    List<Integer> turns = groups.order().inverse().positions();
    int[] starts = groups.starts();
    int[] group = groups.inOrder();
    List<List<Integer>> seen = new ArrayList<>();
    for (int turn = 0; turn < positions.size(); turn++) {
      List<Integer> earlier = positions.subList(0, starts[group[turn]]);
      List<Integer> before = allowed(space, positions.get(turn), earlier);
      seen.add(nearest(turn, before.stream().map(turns::get).sorted().toList()));
    }
    return new LookupTableConditioner(
        space.select(positions), condition, seen, shared, width, starts);
  }

  private List<Integer> allowed(Space space, int position, List<Integer> visible) {
    if (neighbours == null) {
      return visible;
    }
    if (neighbours.size() != space.size()) {
      throw new IllegalArgumentException(
          "neighbours must be listed for "
              + space.size()
              + " positions, but are for "
              + neighbours.size());
    }
    return visible.stream().filter(neighbours.get(position)::contains).toList();
  }

  private List<Integer> nearest(int place, List<Integer> visible) {
    if (nearest == null || visible.size() <= nearest) {
      return visible;
    }
    return visible.stream()
        .sorted(Comparator.comparingInt((Integer other) -> Math.abs(other - place)))
        .limit(nearest)
        .sorted()
        .toList();
  }
}
