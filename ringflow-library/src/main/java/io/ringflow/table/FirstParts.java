package io.ringflow.table;

import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Rearrangement;
import io.ringflow.layer.Split;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Columns by their first parts, of which there is one for each: what an order of columns is chosen
 * by. Columns in two parts come last, so that what is asked of others need not be summed over their
 * many values, and the second part follows the first.
 */
final class FirstParts {
  /** Combinations of a first part and a column that a second part has a lookup table for. */
  private static final int MAX_COMBINATIONS = 1 << 14;

  private final List<ColumnParts.Coded> coded;
  private final Rearrangement parts;
  private final int[] firsts; // the position of each column's first part, or of the whole column

  /**
   * The parts of columns.
   *
   * @param coded those in two parts
   */
  FirstParts(Space columns, List<ColumnParts.Coded> coded) {
    this.coded = List.copyOf(coded);
    parts =
        split()
            .flatMap(layer -> layer.rearrangement(columns))
            .orElseGet(() -> Rearrangement.identity(columns));
    List<Integer> sources = parts.sources().stream().map(own -> own.get(0)).toList();
    firsts = IntStream.range(0, columns.size()).map(sources::indexOf).toArray();
  }

  /** The layer that splits columns; empty where all are whole. */
  Optional<Split> split() {
    return coded.isEmpty()
        ? Optional.empty()
        : Optional.of(new Split(coded.stream().map(ColumnParts.Coded::code).toList()));
  }

  /** How many parts there are in all. */
  int size() {
    return parts.digits().size();
  }

  /** The space of first parts. */
  Space space() {
    return parts.baseSpace().select(Arrays.stream(firsts).boxed().toList());
  }

  /** The first parts of rows. */
  int[][] of(int[][] rows) {
    if (coded.isEmpty()) {
      return rows;
    }
    return Arrays.stream(parts.inverse(rows))
        .map(row -> Arrays.stream(firsts).map(first -> row[first]).toArray())
        .toArray(int[][]::new);
  }

  /** An order of columns with those in two parts at the end. */
  Order wholeFirst(Order columns) {
    List<Integer> order = new ArrayList<>(columns.positions());
    order.sort(Comparator.comparing(this::isSplit)); // stable
    return new Order(order);
  }

  /** The order of all parts that an order of columns makes. */
  Order all(Order columns) {
    List<Integer> order = new ArrayList<>();
    for (int column : columns.positions()) {
      order.add(firsts[column]);
      if (isSplit(column)) {
        order.add(firsts[column] + 1);
      }
    }
    return new Order(order);
  }

  /** Where the first parts and whole columns are when columns are in an order. */
  List<Integer> places(Order columns) {
    List<Integer> places = new ArrayList<>();
    int at = 0;
    for (int column : columns.positions()) {
      places.add(at);
      at += isSplit(column) ? 2 : 1;
    }
    return places;
  }

  /**
   * What a second part is looked up by: the first part, and the column that the values were put in
   * order by, where one comes before and the table is not too large.
   *
   * @param position of the second part
   */
  List<Integer> secondParents(Order columns, int position, IntPredicate among) {
    if (!among.test(position - 1)) {
      return List.of();
    }
    List<Integer> places = places(columns);
    int column = columns.positions().get(places.indexOf(position - 1));
    Space space = space();
    return coded.stream()
        .filter(own -> own.code().position() == column)
        .flatMap(own -> own.keys().stream())
        .filter(
            key -> (long) space.cardinality(key) * space.cardinality(column) <= MAX_COMBINATIONS)
        .map(key -> places.get(columns.positions().indexOf(key)))
        .filter(place -> place < position - 1 && among.test(place))
        .findFirst()
        .map(place -> List.of(position - 1, place))
        .orElse(List.of(position - 1));
  }

  /** Whether a column is in two parts. */
  boolean isSplit(int column) {
    return parts.digits().get(firsts[column]).get(0).isPart();
  }
}
