package io.ringflow.fit;

import io.ringflow.Space;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * How much the positions of rows know of each other, two by two, beyond chance.
 *
 * <p>Of N rows, two independent positions seem to know {@code (K_i - 1)(K_j - 1) / 2N} nats of each
 * other. That is taken away here, so that columns of many symbols do not find each other for
 * nothing.
 */
final class Dependencies {
  private final double[][] nats; // [D, D], beyond chance
  private final double[][] chance; // [D, D]

  private Dependencies(double[][] nats, double[][] chance) {
    this.nats = nats;
    this.chance = chance;
  }

  /**
   * Counts pairs of symbols.
   *
   * @param rows at least one
   */
  static Dependencies of(Space space, int[][] rows) {
    var counts = new ChowLiu.Counts(space, rows, 0);
    double[][] nats = new double[space.size()][space.size()];
    double[][] chance = new double[space.size()][space.size()];
    for (int i = 0; i < space.size(); i++) {
      for (int j = 0; j < i; j++) {
        chance[i][j] =
            (space.cardinality(i) - 1.0) * (space.cardinality(j) - 1.0) / (2.0 * rows.length);
        chance[j][i] = chance[i][j];
        nats[i][j] = counts.mutualInformation(i, j) - chance[i][j];
        nats[j][i] = nats[i][j];
      }
    }
    return new Dependencies(nats, chance);
  }

  /** The tree of the strongest dependencies, as {@link ChowLiu#parents} has them. */
  int[] tree() {
    return ChowLiu.maximumSpanningTree(nats.length, (i, j) -> nats[i][j]);
  }

  /**
   * The positions, among some, that know most of one: those that know anything, at most so many.
   */
  List<Integer> strongest(int position, int most, IntPredicate among) {
    return IntStream.range(0, nats.length)
        .filter(
            other ->
                other != position
                    && nats[position][other] > chance[position][other]
                    && among.test(other))
        .boxed()
        .sorted(Comparator.comparingDouble((Integer other) -> -nats[position][other]))
        .limit(most)
        .toList();
  }
}
