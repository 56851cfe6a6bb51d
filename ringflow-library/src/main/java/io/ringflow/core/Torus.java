package io.ringflow.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.ringflow.internal.checks.Checks;
import java.util.List;

/**
 * Positions on a torus of one or more sides: a ring, a periodic lattice. They are in row-major
 * order, the last side's coordinate counts fastest.
 *
 * <p>A position is also an offset, the way to it from position 0.
 *
 * @param sides how many positions there are along each
 */
public record Torus(@JsonValue List<Integer> sides) {
  /** Checks the sides. */
  @JsonCreator
  public Torus {
    sides = List.copyOf(sides);
    Checks.atLeast("the number of sides", sides.size(), 1);
    long size = 1;
    for (int side : sides) {
      Checks.atLeast("a side", side, 1);
      size *= side;
      if (size > Integer.MAX_VALUE) {
        throw new IllegalArgumentException("a torus of sides " + sides + " is too large");
      }
    }
  }

  /** A torus of these sides. */
  public static Torus of(Integer... sides) {
    return new Torus(List.of(sides));
  }

  /** The number of positions. */
  public int size() {
    return sides.stream().reduce(1, (a, b) -> a * b);
  }

  /** The coordinates of a position, one for each side. */
  public int[] coordinates(int position) {
    int[] coordinates = new int[sides.size()];
    int rest = position;
    for (int i = coordinates.length - 1; i >= 0; i--) {
      coordinates[i] = rest % sides.get(i);
      rest /= sides.get(i);
    }
    return coordinates;
  }

  /** The position that lies at an offset from another. */
  public int at(int position, int offset) {
    int result = 0;
    int stride = 1;
    int from = position;
    int way = offset;
    for (int i = sides.size() - 1; i >= 0; i--) {
      int side = sides.get(i);
      result += stride * ((from % side + way % side) % side);
      stride *= side;
      from /= side;
      way /= side;
    }
    return result;
  }

  /** The square of how long an offset is, the shorter way around each side. */
  public long squaredLength(int offset) {
    int[] coordinates = coordinates(offset);
    long sum = 0;
    for (int i = 0; i < coordinates.length; i++) {
      long way = Math.min(coordinates[i], sides.get(i) - coordinates[i]);
      sum += way * way;
    }
    return sum;
  }
}
