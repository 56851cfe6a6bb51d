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
import java.util.stream.IntStream;

/**
 * A row of free logits for every combination of symbols that an output sees (section 4.3: "an
 * embedding layer which returns a trainable location parameter for every unique combination of
 * inputs").
 *
 * <p>An output that sees n positions has K<sup>n</sup> rows. Either direction costs one look-up for
 * each output.
 *
 * <p>Where its logits stand for symbols, counting the data determines all of them: see {@code
 * WarmStart}.
 *
 * @param nearest the largest number of positions an output sees: of those it may see, the nearest
 *     in the order of reading, and of two equally near the earlier one; null for all of them
 * @param neighbours for each position of the data, the positions its output may see at all; null
 *     for no such limit. The sites of a lattice need it, whose neighbours are not next to each
 *     other in any order
 * @param sharedRows whether outputs that see the same positions share their rows
 */
@JsonTypeName("table")
public record LookupTable(Integer nearest, List<List<Integer>> neighbours, boolean sharedRows)
    implements Network {
  /** An output sees every visible position. */
  public LookupTable() {
    this(null, null, false);
  }

  /** An output sees the nearest visible positions. */
  public LookupTable(Integer nearest) {
    this(nearest, null, false);
  }

  /** An output sees those of its position's neighbours that are visible. */
  public static LookupTable of(List<List<Integer>> neighbours) {
    return new LookupTable(null, neighbours, false);
  }

  /** This table, with rows shared by outputs that see the same positions. */
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
    List<List<Integer>> parents =
        mask.moved().stream()
            .map(position -> nearest(position, allowed(space, position, mask.seen())))
            .toList();
    return new LookupTableConditioner(
        space, condition, mask.moved(), parents, sharedRows, width, new int[0]);
  }

  @Override
  public CausalConditioner causal(Space space, Groups groups, Space condition, int width) {
    List<Integer> positions = groups.order().positions();
    List<Integer> turns = groups.order().inverse().positions();
    int[] starts = groups.starts();
    int[] group = groups.inOrder();
    List<List<Integer>> parents = new ArrayList<>();
    for (int turn = 0; turn < positions.size(); turn++) {
      List<Integer> earlier = positions.subList(0, starts[group[turn]]);
      List<Integer> visible = allowed(space, positions.get(turn), earlier);
      parents.add(nearest(turn, visible.stream().map(turns::get).sorted().toList()));
    }
    List<Integer> outputs = IntStream.range(0, positions.size()).boxed().toList();
    return new LookupTableConditioner(
        space.select(positions), condition, outputs, parents, sharedRows, width, starts);
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
