package io.ringflow.network;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.core.Torus;
import io.ringflow.internal.checks.Checks;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Conditioner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Perceptrons for positions on a torus, one for each group, that all positions of the group share:
 * each applies it to what it sees at the same offsets from itself. So it is equivariant under the
 * translations that leave the groups as they are.
 *
 * <p>Where a distribution does not change with translations, a position of a group of n has n times
 * as many examples to learn from as it would have alone.
 *
 * @param torus of the positions
 * @param hidden units of each group's perceptron, 0 for none: beside them, its logits are a sum
 *     over the symbols that are seen, which is exact where a position depends on each by itself
 * @param seen for each group, at which offsets its positions look: from every one of them they must
 *     lead to earlier groups
 */
@JsonTypeName("torus-made")
public record TorusMade(Torus torus, List<Integer> hidden, List<List<Integer>> seen)
    implements Network {
  /** Checks the sizes and copies the lists. */
  public TorusMade {
    hidden = List.copyOf(hidden);
    hidden.forEach(units -> Checks.atLeast("hidden", units, 0));
    seen = seen.stream().map(List::copyOf).toList();
    for (List<Integer> offsets : seen) {
      for (int offset : offsets) {
        Checks.inRange("offsets in seen", offset, 0, torus.size() - 1);
      }
    }
    if (hidden.size() != seen.size()) {
      throw new IllegalArgumentException(
          "hidden and seen must be of as many groups, but are of "
              + hidden.size()
              + " and "
              + seen.size());
    }
  }

  /**
   * A network whose positions see the nearest of those that all positions of their group know.
   *
   * @param hidden units of each perceptron
   * @param most how many each of them sees at most
   */
  public static TorusMade of(Torus torus, Groups groups, int hidden, int most) {
    return new TorusMade(
        torus,
        Collections.nCopies(groups.count(), hidden),
        known(torus, groups).stream()
            .map(offsets -> offsets.subList(0, Math.min(most, offsets.size())))
            .toList());
  }

  /**
   * For each group, the offsets that lead from all of its positions to earlier groups, the shortest
   * first.
   */
  public static List<List<Integer>> known(Torus torus, Groups groups) {
    requireSize(torus, groups.positions());
    int[] groupOf = groupOf(groups);
    List<Integer> nearestFirst =
        IntStream.range(0, torus.size())
            .boxed()
            .sorted(Comparator.comparingLong(torus::squaredLength))
            .toList();
    List<List<Integer>> known = new ArrayList<>();
    for (int group = 0; group < groups.count(); group++) {
      List<Integer> own = groups.groups().get(group);
      int turn = group;
      known.add(
          nearestFirst.stream()
              .filter(
                  offset -> own.stream().allMatch(from -> groupOf[torus.at(from, offset)] < turn))
              .toList());
    }
    return List.copyOf(known);
  }

  private static int[] groupOf(Groups groups) {
    int[] groupOf = new int[groups.positions()];
    for (int group = 0; group < groups.count(); group++) {
      for (int position : groups.groups().get(group)) {
        groupOf[position] = group;
      }
    }
    return groupOf;
  }

  private static void requireSize(Torus torus, int positions) {
    if (torus.size() != positions) {
      throw new IllegalArgumentException(
          "a torus of sides "
              + torus.sides()
              + " has "
              + torus.size()
              + " positions, but there are "
              + positions);
    }
  }

  /** Not to be had: what a layer's mask hides is no group. */
  @Override
  public Conditioner bipartite(Space space, Mask mask, Space condition, int width) {
    throw new IllegalArgumentException(
        "a network for a torus predicts groups of symbols, and does not say how to move them: use"
            + " Made");
  }

  @Override
  public CausalConditioner causal(Space space, Groups groups, Space condition, int width) {
    requireSize(torus, space.size());
    if (!space.isUniform() || space.maxCardinality() != width) {
      throw new IllegalArgumentException(
          "a network for a torus has a logit for each symbol, the same ones everywhere, but is asked for "
              + width
              + " logits of "
              + space);
    }
    if (seen.size() != groups.count()) {
      throw new IllegalArgumentException(
          "seen is of " + seen.size() + " groups, but there are " + groups.count());
    }
    return new TorusConditioner(this, places(groups), groups.starts(), width, condition);
  }

  /**
   * For each group, the places in the order of the groups that its positions see, one position
   * after the other.
   */
  private List<int[]> places(Groups groups) {
    int[] groupOf = groupOf(groups);
    int[] place = new int[torus.size()];
    List<Integer> order = groups.order().positions();
    for (int i = 0; i < place.length; i++) {
      place[order.get(i)] = i;
    }
    List<int[]> places = new ArrayList<>();
    for (int group = 0; group < groups.count(); group++) {
      List<Integer> offsets = seen.get(group);
      List<Integer> found = new ArrayList<>();
      for (int from : groups.groups().get(group)) {
        for (int offset : offsets) {
          int to = torus.at(from, offset);
          if (groupOf[to] >= group) {
            throw new IllegalArgumentException(
                "position %d of group %d sees position %d, at offset %d, which is of group %d: not before it"
                    .formatted(from, group, to, offset, groupOf[to]));
          }
          found.add(place[to]);
        }
      }
      places.add(found.stream().mapToInt(Integer::intValue).toArray());
    }
    return places;
  }
}
