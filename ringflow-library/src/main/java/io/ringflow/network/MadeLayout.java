package io.ringflow.network;

import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * Which inputs each output of a {@link MadeConditioner} sees.
 *
 * <p>Every unit has a <em>degree</em>, and reads from units of the layer below whose degree is at
 * most its own. An input in group g has degree g + 1, the condition has degree 0, an output in
 * group g has degree g: so it reaches inputs of earlier groups alone. Hidden units are spread
 * evenly over the degrees 0 … S - 1, in ascending order.
 *
 * <p>A bipartite network is the case of two degrees: moved inputs have degree 1, everything else
 * has degree 0.
 *
 * @param inputs space of the input positions
 * @param outputs space of the output positions
 * @param degrees of all units
 * @param parents of each output: the groups of input positions that have a direct table
 * @param inputScales where the symbols of each input are on a scale; empty if not ordered
 * @param outputScales the same of each output
 * @param starts where each group of a causal network begins; empty for a bipartite one
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record MadeLayout(
    Space inputs,
    Space outputs,
    Degrees degrees,
    List<List<List<Integer>>> parents,
    List<List<Double>> inputScales,
    List<List<Double>> outputScales,
    int[] starts) {
  /** The degrees of input positions, hidden units and output positions. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Degrees(int[] inputs, int[] hidden, int[] outputs) {}

  static MadeLayout causal(Made made, Space space, Groups groups) {
    int[] outputs = groups.inOrder();
    int[] inputs = Arrays.stream(outputs).map(group -> group + 1).toArray();
    int[] hidden = new int[made.hidden()];
    Arrays.setAll(hidden, h -> (int) ((long) h * groups.count() / hidden.length));
    List<Integer> order = groups.order().positions();
    List<Integer> place = groups.order().inverse().positions(); // of each position in the order
    List<List<List<Integer>>> parents =
        order.stream()
            .map(
                child ->
                    parents(
                        made,
                        space,
                        child,
                        parent -> outputs[place.get(parent)] < outputs[place.get(child)],
                        place::get))
            .toList();
    Space inOrder = space.select(order);
    List<List<Double>> scales = scales(made, space, order);
    return new MadeLayout(
        inOrder,
        inOrder,
        new Degrees(inputs, hidden, outputs),
        parents,
        scales,
        scales,
        groups.starts());
  }

  static MadeLayout bipartite(Made made, Space space, Mask mask) {
    int[] inputs = new int[space.size()];
    Arrays.setAll(inputs, d -> mask.sees(d) ? 0 : 1);
    return new MadeLayout(
        space,
        space.select(mask.moved()),
        new Degrees(inputs, new int[made.hidden()], new int[mask.moved().size()]),
        mask.moved().stream()
            .map(child -> parents(made, space, child, mask::sees, parent -> parent))
            .toList(),
        scales(made, space, Order.natural(space.size()).positions()),
        scales(made, space, mask.moved()),
        new int[0]);
  }

  /** The scales of some positions. */
  private static List<List<Double>> scales(Made made, Space space, List<Integer> positions) {
    if (made.scales().isEmpty()) {
      return Collections.nCopies(positions.size(), List.of());
    }
    for (int d = 0; d < space.size(); d++) {
      List<Double> own = d < made.scales().size() ? made.scales().get(d) : null;
      if (own == null || (!own.isEmpty() && own.size() != space.cardinality(d))) {
        throw new IllegalArgumentException(
            String.format(
                "scales must be of the %d symbols of position %d, but are of %s",
                space.cardinality(d), d, own == null ? "none" : own.size()));
      }
    }
    return positions.stream().map(made.scales()::get).toList();
  }

  /** The groups of parents of a position all of whose members it sees, by their input places. */
  private static List<List<Integer>> parents(
      Made made, Space space, int child, IntPredicate seen, IntUnaryOperator place) {
    if (made.direct().isEmpty()) {
      return List.of();
    }
    if (made.direct().size() < space.size()) {
      throw new IllegalArgumentException(
          "direct is of " + made.direct().size() + " positions, but the space has " + space.size());
    }
    return made.direct().get(child).stream()
        .filter(group -> group.stream().allMatch(i -> i != child && i < space.size()))
        .filter(group -> group.stream().allMatch(seen::test))
        .map(group -> group.stream().map(place::applyAsInt).toList())
        .toList();
  }
}
