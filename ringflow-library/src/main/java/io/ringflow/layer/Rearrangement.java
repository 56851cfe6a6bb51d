package io.ringflow.layer;

import io.ringflow.core.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A bijection that moves no symbol: each base position stands for one or more data positions, whose
 * symbols are the digits of its own, in mixed radix, the last digit the last position's; or for a
 * part of one data position.
 *
 * <p>In plain integers, and without weights: what {@link Reorder}, {@link Pack} and {@link Split}
 * do, and any chain of them in which only positions of the data are split.
 *
 * @param dataSpace of the data side
 * @param digits what each base position stands for; every position occurs once, or with all parts
 */
public record Rearrangement(Space dataSpace, List<List<Digit>> digits) {
  /**
   * A data position, or a part of it.
   *
   * @param position of the data
   * @param stride what the digit counts for in the code; 1 for a whole position
   * @param cardinality how many digits there are
   * @param code of a position that is split; null for a whole one
   */
  public record Digit(int position, int stride, int cardinality, Split.Code code) {
    static Digit whole(int position, Space space) {
      return new Digit(position, 1, space.cardinality(position), null);
    }

    /** Whether this is only a part of its position. */
    public boolean isPart() {
      return code != null;
    }

    /** The digit of each symbol of the position. */
    public int[] ofSymbols() {
      int[] codes = isPart() ? code.bySymbol() : IntStream.range(0, cardinality).toArray();
      return Arrays.stream(codes).map(each -> each / stride % cardinality).toArray();
    }
  }

  /** Copies the lists. */
  public Rearrangement {
    digits = digits.stream().map(List::copyOf).toList();
  }

  /**
   * A rearrangement of whole positions.
   *
   * @param sources the data positions of each base position; every position occurs once
   */
  public static Rearrangement of(Space space, List<List<Integer>> sources) {
    return new Rearrangement(
        space,
        sources.stream()
            .map(own -> own.stream().map(position -> Digit.whole(position, space)).toList())
            .toList());
  }

  /** Every position for itself. */
  public static Rearrangement identity(Space space) {
    return of(space, IntStream.range(0, space.size()).mapToObj(List::of).toList());
  }

  /** The data positions of each base position. */
  public List<List<Integer>> sources() {
    return digits.stream().map(own -> own.stream().map(Digit::position).toList()).toList();
  }

  /**
   * This rearrangement followed, towards the base, by another one of its base side.
   *
   * @throws IllegalArgumentException if the other one splits what is a part or several positions
   */
  public Rearrangement then(Rearrangement next) {
    return new Rearrangement(
        dataSpace,
        next.digits.stream().map(own -> own.stream().flatMap(this::here).toList()).toList());
  }

  /** What a digit of the base side is on the data side. */
  private Stream<Digit> here(Digit digit) {
    List<Digit> own = digits.get(digit.position);
    if (!digit.isPart()) {
      return own.stream();
    }
    if (own.size() != 1 || own.get(0).isPart()) {
      throw new IllegalArgumentException(
          "only positions of the data itself can be split: Split must be the last layer");
    }
    return Stream.of(new Digit(own.get(0).position, digit.stride, digit.cardinality, digit.code));
  }

  /** The space of the base side. */
  public Space baseSpace() {
    List<Integer> cardinalities = new ArrayList<>();
    for (List<Digit> own : digits) {
      cardinalities.add(own.stream().mapToInt(Digit::cardinality).reduce(1, Math::multiplyExact));
    }
    return new Space(cardinalities);
  }

  /** The base rows of data rows. */
  public int[][] inverse(int[][] rows) {
    int[][] base = new int[rows.length][digits.size()];
    for (int p = 0; p < digits.size(); p++) {
      for (Digit digit : digits.get(p)) {
        int[] ofSymbols = digit.ofSymbols();
        for (int n = 0; n < rows.length; n++) {
          base[n][p] = base[n][p] * digit.cardinality + ofSymbols[rows[n][digit.position]];
        }
      }
    }
    return base;
  }

  /**
   * The digits that a base symbol stands for.
   *
   * @param position of the base
   * @return one for each of the position's {@link #digits}
   */
  public int[] digits(int position, int symbol) {
    List<Digit> own = digits.get(position);
    int[] values = new int[own.size()];
    int rest = symbol;
    for (int i = values.length - 1; i >= 0; i--) {
      values[i] = rest % own.get(i).cardinality;
      rest /= own.get(i).cardinality;
    }
    return values;
  }
}
