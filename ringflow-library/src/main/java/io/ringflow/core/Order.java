package io.ringflow.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A permutation of the positions.
 *
 * @param positions the position that comes first, second, …
 */
public record Order(@JsonValue List<Integer> positions) {
  /** Checks that every position occurs once. */
  @JsonCreator
  public Order {
    positions = List.copyOf(positions);
    boolean[] seen = new boolean[positions.size()];
    for (int position : positions) {
      if (position < 0 || position >= seen.length || seen[position]) {
        throw new IllegalArgumentException(
            "order " + positions + " is not a permutation of 0.." + (seen.length - 1));
      }
      seen[position] = true;
    }
  }

  /** 0, 1, 2, …: left to right. */
  public static Order natural(int positions) {
    return new Order(IntStream.range(0, positions).boxed().toList());
  }

  /** …, 2, 1, 0: right to left. */
  public static Order reversed(int positions) {
    return new Order(IntStream.range(0, positions).mapToObj(i -> positions - 1 - i).toList());
  }

  /**
   * A spread-out order: any first part of it lies about evenly over all positions (van der Corput's
   * sequence, which reads numbers backwards in bits).
   */
  public static Order spread(int positions) {
    int bits = 32 - Integer.numberOfLeadingZeros(Math.max(1, positions - 1));
    return new Order(
        IntStream.range(0, 1 << bits)
            .map(i -> Integer.reverse(i) >>> (32 - bits))
            .filter(position -> position < positions)
            .boxed()
            .toList());
  }

  /** The given positions in the given order. */
  public static Order of(int... positions) {
    return new Order(Arrays.stream(positions).boxed().toList());
  }

  /** The number of positions, D. */
  public int size() {
    return positions.size();
  }

  /** Whether this is 0, 1, 2, … */
  public boolean isNatural() {
    return equals(natural(size()));
  }

  /** The order that undoes this one: where each position went. */
  public Order inverse() {
    Integer[] inverse = new Integer[size()];
    for (int i = 0; i < size(); i++) {
      inverse[positions.get(i)] = i;
    }
    return new Order(Arrays.asList(inverse));
  }

  /** Such as {@code 3 in turn}. */
  public String summary() {
    return size() + (isNatural() ? " in turn" : " in turn, in another order");
  }
}
