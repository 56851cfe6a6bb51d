package io.ringflow.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which positions a {@link io.ringflow.layer.Bipartite} layer keeps; it moves the others. Of the
 * kept ones its network sees all, but for those that are hidden.
 *
 * @param bits one character a position: {@code 1} kept and seen, {@code -} kept and hidden, {@code
 *     0} moved
 */
public record Mask(@JsonValue String bits) {
  /**
   * Checks that some position is moved. Keeping none is allowed: the layer then moves all of them
   * alike.
   */
  @JsonCreator
  public Mask {
    if (!bits.matches("[01-]+")) {
      throw new IllegalArgumentException("mask must be a row of 0, 1 and -, but is '" + bits + "'");
    }
    if (bits.indexOf('0') < 0) {
      throw new IllegalArgumentException(
          "mask " + bits + " keeps every position, so the layer would do nothing");
    }
  }

  /** Keeps the positions the predicate holds for. */
  public static Mask keep(int positions, IntPredicate kept) {
    return new Mask(
        IntStream.range(0, positions)
            .mapToObj(d -> kept.test(d) ? "1" : "0")
            .collect(Collectors.joining()));
  }

  /** Keeps positions 0, 2, 4, …: the paper's first mask. */
  public static Mask even(int positions) {
    return keep(positions, d -> d % 2 == 0);
  }

  /** Keeps positions 1, 3, 5, …: the paper's second mask. */
  public static Mask odd(int positions) {
    return keep(positions, d -> d % 2 == 1);
  }

  /** Keeps the first half, rounded up. */
  public static Mask firstHalf(int positions) {
    return blocks(positions, (positions + 1) / 2);
  }

  /** Keeps every other block of {@code length} positions, the first one included. */
  public static Mask blocks(int positions, int length) {
    if (length < 1) {
      throw new IllegalArgumentException("block length must be at least 1, but is " + length);
    }
    return keep(positions, d -> d / length % 2 == 0);
  }

  /**
   * Hides some of the kept positions from the network, such as those that layers before have moved:
   * what they left says little of the others. The network then does not depend on those layers, and
   * one of attention has less to do.
   */
  public Mask hiding(IntPredicate hidden) {
    return new Mask(
        IntStream.range(0, size())
            .mapToObj(d -> keeps(d) && hidden.test(d) ? "-" : bits.substring(d, d + 1))
            .collect(Collectors.joining()));
  }

  /** Keeps what this one moves, and hides nothing. */
  public Mask complement() {
    return keep(size(), d -> !keeps(d));
  }

  /** The number of positions, D. */
  public int size() {
    return bits.length();
  }

  /** Whether a position is kept. */
  public boolean keeps(int position) {
    return bits.charAt(position) != '0';
  }

  /** Whether a position is kept and not hidden. */
  public boolean sees(int position) {
    return bits.charAt(position) == '1';
  }

  /** The positions that are kept and not hidden, ascending. */
  public List<Integer> seen() {
    return IntStream.range(0, size()).filter(this::sees).boxed().toList();
  }

  /** The kept positions, ascending. */
  public List<Integer> kept() {
    return IntStream.range(0, size()).filter(this::keeps).boxed().toList();
  }

  /** The moved positions, ascending. */
  public List<Integer> moved() {
    return IntStream.range(0, size()).filter(d -> !keeps(d)).boxed().toList();
  }
}
