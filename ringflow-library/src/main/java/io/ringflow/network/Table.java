package io.ringflow.network;

import io.ringflow.CausalConditioner;
import io.ringflow.Conditioner;
import io.ringflow.Mask;
import io.ringflow.Network;
import io.ringflow.Space;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * No network at all: a row of free logits for every combination of the symbols that are seen (the
 * "embedding layer which returns a trainable location parameter for every unique combination of
 * inputs" of section 4.3).
 *
 * @param nearest how many of the visible positions an output sees, the nearest first, earlier ones
 *     before later ones; null for all of them. The number of rows grows as K to this power
 */
public record Table(Integer nearest) implements Network {
  /** Sees every visible position. */
  public Table() {
    this(null);
  }

  /** Checks the number of neighbours. */
  public Table {
    if (nearest != null && nearest < 0) {
      throw new IllegalArgumentException("nearest must not be negative, but is " + nearest);
    }
  }

  @Override
  public Conditioner bipartite(Space space, Mask mask, Space given, int width) {
    List<List<Integer>> seen =
        mask.moved().stream().map(position -> nearest(position, mask.kept())).toList();
    return new TableConditioner(space, given, seen, width);
  }

  @Override
  public CausalConditioner causal(Space space, Space given, int width) {
    List<List<Integer>> seen =
        IntStream.range(0, space.size())
            .mapToObj(position -> nearest(position, IntStream.range(0, position).boxed().toList()))
            .toList();
    return new TableConditioner(space, given, seen, width);
  }

  private List<Integer> nearest(int position, List<Integer> visible) {
    if (nearest == null || visible.size() <= nearest) {
      return visible;
    }
    return visible.stream()
        .sorted(Comparator.comparingInt((Integer other) -> Math.abs(other - position)))
        .limit(nearest)
        .sorted()
        .toList();
  }
}
