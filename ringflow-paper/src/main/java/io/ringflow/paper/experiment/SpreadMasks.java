package io.ringflow.paper.experiment;

import io.ringflow.core.Mask;
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
 * repeat every eight symbols; which order is best was found by dynamic programming over all subsets
 * of the eight, with the entropy of shifts that counts of the four nearest known symbols give; a
 * sketch outside this repository, so that the order is a choice and not a result.
 *
 * <p>No symbol is moved twice. One layer leaves every other symbol as it is. Two layers and four
 * leave the two in eight that are moved to no use; eight move these too, last.
 */
final class SpreadMasks {
  private static final int PERIOD = 8;

  /** What each layer moves, the one next to the data first. */
  private static final List<List<Set<Integer>>> MOVED =
      List.of(
          List.of(Set.of(0, 2, 4, 6)),
          List.of(Set.of(0, 2, 4, 6), Set.of(1, 5)),
          List.of(Set.of(0, 4), Set.of(2, 6), Set.of(1), Set.of(5)),
          List.of(
              Set.of(0), Set.of(4), Set.of(2), Set.of(6), Set.of(1), Set.of(5), Set.of(3),
              Set.of(7)));

  private SpreadMasks() {}

  /**
   * The masks of 1, 2, 4 or 8 layers, the one next to the data first.
   *
   * @param positions of a row; at least 8
   */
  static List<Mask> of(int positions, int layers) {
    if (positions < PERIOD) {
      throw new IllegalArgumentException(
          "positions must be at least " + PERIOD + ", but is " + positions);
    }
    return MOVED.stream()
        .filter(list -> list.size() == layers)
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("layers must be 1, 2, 4 or 8, but is " + layers))
        .stream()
        .map(moved -> Mask.keep(positions, position -> !moved.contains(position % PERIOD)))
        .toList();
  }

  /** The paper's: even and odd positions in turn, the one next to the data first. */
  static List<Mask> halves(int positions, int layers) {
    return java.util.stream.IntStream.range(0, layers)
        .mapToObj(i -> i % 2 == 0 ? Mask.odd(positions) : Mask.even(positions))
        .toList();
  }
}
