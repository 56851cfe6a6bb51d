package io.ringflow.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The set a model lives on: D positions, each with its own number of symbols K<sub>d</sub>.
 *
 * <p>A row of the space is an {@code int[D]} whose element d is in {@code 0 … K_d - 1}.
 * Cardinalities may differ and need not be prime. The paper's spaces are {@link #uniform}.
 *
 * @param cardinalities K<sub>d</sub> of each position, at least 1
 */
public record Space(List<Integer> cardinalities) {
  /** The space of no positions: what an unconditional model is given. */
  public static final Space NONE = new Space(List.of());

  /** Checks the cardinalities and copies them. */
  @JsonCreator
  public Space {
    cardinalities = List.copyOf(cardinalities);
    for (int d = 0; d < cardinalities.size(); d++) {
      if (cardinalities.get(d) < 1) {
        throw new IllegalArgumentException(
            "position "
                + d
                + " has cardinality "
                + cardinalities.get(d)
                + ", but needs at least 1");
      }
    }
  }

  /** {@code positions} positions of {@code cardinality} symbols each. */
  public static Space uniform(int positions, int cardinality) {
    if (positions < 1) {
      throw new IllegalArgumentException("positions must be at least 1, but is " + positions);
    }
    return new Space(Collections.nCopies(positions, cardinality));
  }

  /** One position for each cardinality. */
  public static Space of(int... cardinalities) {
    List<Integer> list = new ArrayList<>();
    for (int cardinality : cardinalities) {
      list.add(cardinality);
    }
    return new Space(list);
  }

  @JsonValue
  @Override
  public List<Integer> cardinalities() {
    return cardinalities;
  }

  /** The number of positions, D. */
  public int size() {
    return cardinalities.size();
  }

  /** The number of symbols at a position, K<sub>d</sub>. */
  public int cardinality(int position) {
    return cardinalities.get(position);
  }

  /** The largest K<sub>d</sub>; 0 for {@link #NONE}. */
  public int maxCardinality() {
    return cardinalities.stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  /**
   * Whether all positions have the same number of symbols, and so may share what a network learns
   * of them.
   */
  public boolean isUniform() {
    return cardinalities.stream().distinct().count() <= 1;
  }

  /**
   * The number of rows in the space.
   *
   * @throws ArithmeticException if it exceeds a {@code long}
   */
  public long cells() {
    return cardinalities.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
  }

  /** The space of the chosen positions, in the chosen order. */
  public Space select(List<Integer> positions) {
    return new Space(positions.stream().map(cardinalities::get).toList());
  }

  /**
   * All rows, the last position fastest.
   *
   * @throws IllegalArgumentException if there are more than a hundred million
   */
  public int[][] enumerate() {
    long cells = cells();
    if (cells > 100_000_000) {
      throw new IllegalArgumentException("a space of " + cells + " rows is too large to enumerate");
    }
    int[][] rows = new int[(int) cells][];
    int[] row = new int[size()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = row.clone();
      for (int d = size() - 1; d >= 0 && ++row[d] == cardinality(d); d--) {
        row[d] = 0;
      }
    }
    return rows;
  }

  /**
   * Checks that every row belongs to this space.
   *
   * @param what names the rows in the message, such as {@code "row"}
   * @throws IllegalArgumentException naming the first row, position and symbol that do not
   */
  public void check(String what, int[][] rows) {
    for (int i = 0; i < rows.length; i++) {
      int[] row = rows[i];
      if (row.length != size()) {
        throw new IllegalArgumentException(
            what
                + " "
                + i
                + " has "
                + row.length
                + " symbols, but the space has "
                + size()
                + " positions");
      }
      for (int d = 0; d < row.length; d++) {
        if (row[d] < 0 || row[d] >= cardinalities.get(d)) {
          throw new IllegalArgumentException(
              what
                  + " "
                  + i
                  + ", position "
                  + d
                  + ": symbol "
                  + row[d]
                  + " is not in 0.."
                  + (cardinalities.get(d) - 1));
        }
      }
    }
  }

  /** Such as {@code 256 x 27} or {@code [2, 3, 12]}. */
  @Override
  public String toString() {
    return size() > 1 && isUniform() ? size() + " x " + cardinality(0) : cardinalities.toString();
  }
}
