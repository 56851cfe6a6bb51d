package io.ringflow.paper.experiment;

import io.ringflow.core.Mask;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which symbols of a text each bipartite layer moves, so that most are moved by what can predict
 * them.
 *
 * <p>Halves in turn, as the paper has it, leave half of the symbols without any neighbour to be
 * predicted from: once the odd ones have been moved by the even ones, little is left of them that
 * the even ones could be moved by. A symbol is worth moving where nearly everything around it is
 * still as it was. So the layers next to the data move few symbols and see the rest, and those
 * after them see less and less: the spread-out order of group-autoregressive models. The places
 * repeat every eight symbols, with eight layers every sixteen. Which order is best was found by a
 * search over the entropies that location and scale leave, with counts of the four nearest known
 * symbols as the predictor; a sketch outside this repository, so that the order is a choice and not
 * a result.
 *
 * <p>The masks of twice as many layers move the same symbols, two layers those of one: a flow can
 * continue from one of half as many layers. A layer does not see what layers before it have moved,
 * which says little of the others.
 *
 * <p>No symbol is moved twice, and one in four never is, but for one layer, which leaves every
 * other symbol as it is: four places away from what is known, a prediction is so weak that moving a
 * symbol by it costs more than leaving it.
 */
final class SpreadMasks {
  /**
   * What the layers move.
   *
   * @param period after which the places repeat
   * @param moved by each layer, the one next to the data first
   */
  private record Pattern(int period, List<Set<Integer>> moved) {}

  private static final List<Pattern> PATTERNS =
      List.of(
          new Pattern(8, List.of(Set.of(0, 2, 4, 6))),
          new Pattern(8, List.of(Set.of(0, 2, 4, 6), Set.of(1, 5))),
          new Pattern(8, List.of(Set.of(0, 4), Set.of(2, 6), Set.of(1), Set.of(5))),
          new Pattern(
              16,
              List.of(
                  Set.of(0, 8),
                  Set.of(4, 12),
                  Set.of(2, 10),
                  Set.of(6, 14),
                  Set.of(1),
                  Set.of(9),
                  Set.of(5),
                  Set.of(13))));

  /** For how many layers there are masks. */
  static final List<Integer> COUNTS = List.of(1, 2, 4, 8);

  private SpreadMasks() {}

  static String name(int layers) {
    return layers + (layers == 1 ? " layer" : " layers");
  }

  /**
   * How much of the time of the largest flow one takes, besides the flow of half as many layers
   * that it continues from: a layer takes as many steps in a flow of few layers as in one of many.
   */
  static double timeShare(int layers) {
    double most = COUNTS.get(COUNTS.size() - 1);
    return (layers == 1 ? 1 : layers / 2) / most;
  }

  /**
   * The masks of 1, 2, 4 or 8 layers, the one next to the data first.
   *
   * @param positions of a row; at least 8, for eight layers 16
   */
  static List<Mask> of(int positions, int layers) {
    Pattern pattern =
        PATTERNS.stream()
            .filter(candidate -> candidate.moved.size() == layers)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException("layers must be 1, 2, 4 or 8, but is " + layers));
    if (positions < pattern.period) {
      throw new IllegalArgumentException(
          "positions must be at least " + pattern.period + ", but is " + positions);
    }
    List<Mask> masks = new ArrayList<>();
    Set<Integer> before = new HashSet<>();
    for (Set<Integer> moved : pattern.moved) {
      Set<Integer> hidden = Set.copyOf(before);
      masks.add(
          Mask.keep(positions, position -> !moved.contains(position % pattern.period))
              .hiding(position -> hidden.contains(position % pattern.period)));
      before.addAll(moved);
    }
    return masks;
  }

  /** The paper's: even and odd positions in turn, the one next to the data first. */
  static List<Mask> halves(int positions, int layers) {
    return java.util.stream.IntStream.range(0, layers)
        .mapToObj(i -> i % 2 == 0 ? Mask.odd(positions) : Mask.even(positions))
        .toList();
  }
}
