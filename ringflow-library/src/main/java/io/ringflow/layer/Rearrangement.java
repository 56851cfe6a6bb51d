package io.ringflow.layer;

import io.ringflow.core.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A bijection that moves no symbol: each base position stands for one or more data positions, whose
 * symbols are the digits of its own, in mixed radix, the last digit the last position's.
 *
 * <p>In plain integers, and without weights: what {@link Reorder} and {@link Pack} do, and any
 * chain of them.
 *
 * @param dataSpace of the data side
 * @param sources the data positions of each base position; every position occurs once
 */
public record Rearrangement(Space dataSpace, List<List<Integer>> sources) {
  /** Copies the lists. */
  public Rearrangement {
    sources = sources.stream().map(List::copyOf).toList();
  }

  /** Every position for itself. */
  public static Rearrangement identity(Space space) {
    return new Rearrangement(space, IntStream.range(0, space.size()).mapToObj(List::of).toList());
  }

  /** This rearrangement followed, towards the base, by another one of its base side. */
  public Rearrangement then(Rearrangement next) {
    return new Rearrangement(
        dataSpace,
        next.sources.stream()
            .map(positions -> positions.stream().map(sources::get).flatMap(List::stream).toList())
            .toList());
  }

  /** The space of the base side. */
  public Space baseSpace() {
    List<Integer> cardinalities = new ArrayList<>();
    for (List<Integer> positions : sources) {
      cardinalities.add(
          positions.stream().mapToInt(dataSpace::cardinality).reduce(1, Math::multiplyExact));
    }
    return new Space(cardinalities);
  }

  /** The base row of a data row. */
  public int[] inverse(int[] row) {
    return sources.stream()
        .mapToInt(
            positions ->
                positions.stream()
                    .reduce(0, (symbol, d) -> symbol * dataSpace.cardinality(d) + row[d]))
        .toArray();
  }

  /** The base rows of data rows. */
  public int[][] inverse(int[][] rows) {
    return Arrays.stream(rows).map(this::inverse).toArray(int[][]::new);
  }

  /**
   * The symbols that a base symbol stands for.
   *
   * @param position of the base
   * @return one for each of the position's {@link #sources}
   */
  public int[] digits(int position, int symbol) {
    List<Integer> own = sources.get(position);
    int[] digits = new int[own.size()];
    int rest = symbol;
    for (int i = digits.length - 1; i >= 0; i--) {
      int cardinality = dataSpace.cardinality(own.get(i));
      digits[i] = rest % cardinality;
      rest /= cardinality;
    }
    return digits;
  }
}
