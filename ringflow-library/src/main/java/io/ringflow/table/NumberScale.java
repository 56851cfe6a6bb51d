package io.ringflow.table;

import io.ringflow.table.TableColumn.Bins;
import io.ringflow.table.TableColumn.Categories;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where the symbols of a column of numbers, in bins or as categories, lie on a scale from 0 to 1:
 * each at the share of training rows that are below it, and half of its own.
 */
final class NumberScale {
  /** Fewer numbers than this are learned one by one. */
  private static final int MIN_NUMBERS = 8;

  /** Digits of a place, which is saved with the model. */
  private static final double DIGITS = 1e5;

  private NumberScale() {}

  /** A place for each symbol, -1 for that of missing values; nothing if these are no numbers. */
  static List<Double> of(TableColumn column) {
    return column instanceof Bins bins ? of(bins) : of((Categories) column);
  }

  private static List<Double> of(Bins column) {
    List<Integer> counts = column.bins().stream().map(TableColumn.Bin::count).toList();
    return places(column, IntStream.range(0, counts.size()).boxed().toList(), counts);
  }

  private static List<Double> of(Categories column) {
    List<BigDecimal> numbers = column.values().values().stream().map(Decimal::parse).toList();
    if (column.rareSymbol() >= 0 || numbers.contains(null)) {
      return List.of();
    }
    List<Integer> ascending =
        IntStream.range(0, numbers.size())
            .boxed()
            .sorted(Comparator.comparing(numbers::get))
            .toList();
    return places(column, ascending, column.values().counts());
  }

  private static List<Double> places(
      TableColumn column, List<Integer> ascending, List<Integer> counts) {
    if (ascending.size() < MIN_NUMBERS) {
      return List.of();
    }
    double all = counts.stream().mapToLong(count -> count).sum();
    Double[] places = Collections.nCopies(column.cardinality(), -1.0).toArray(Double[]::new);
    long below = 0;
    for (int symbol : ascending) {
      double place = (below + 0.5 * counts.get(symbol)) / all;
      places[symbol] = Math.rint(DIGITS * place) / DIGITS;
      below += counts.get(symbol);
    }
    return Arrays.asList(places);
  }
}
