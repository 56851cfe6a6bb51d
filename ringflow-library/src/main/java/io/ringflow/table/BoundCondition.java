package io.ringflow.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A condition on the columns of a codec: what it leaves of each column. */
final class BoundCondition {
  private final TableCodec codec;
  private final Map<Integer, ColumnFilter> filters;

  private BoundCondition(TableCodec codec, Map<Integer, ColumnFilter> filters) {
    this.codec = codec;
    this.filters = filters;
  }

  /**
   * Binds a condition.
   *
   * @throws IllegalArgumentException if there is no such column or value; the message suggests some
   */
  static BoundCondition of(Condition condition, TableCodec codec) {
    Map<Integer, List<Term>> byColumn = new TreeMap<>();
    for (Term term : condition.terms()) {
      byColumn.computeIfAbsent(column(term, codec), d -> new ArrayList<>()).add(term);
    }
    Map<Integer, ColumnFilter> filters = new TreeMap<>();
    byColumn.forEach(
        (column, terms) ->
            filters.put(column, ColumnFilter.of(codec.columns().get(column), terms)));
    return new BoundCondition(codec, filters);
  }

  private static int column(Term term, TableCodec codec) {
    try {
      return codec.position(term.column());
    } catch (IllegalArgumentException e) {
      throw ConditionTokens.mistake(term.at(), e.getMessage());
    }
  }

  /** The share of each symbol's values that is left, by column; columns without conditions lack. */
  Map<Integer, double[]> shares() {
    return filters.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().shares()));
  }

  /** Whether some column has no value left. */
  boolean isImpossible() {
    return filters.values().stream()
        .anyMatch(filter -> Arrays.stream(filter.shares()).allMatch(share -> share == 0));
  }

  /** The cells of rows of symbols, with values that satisfy the condition. */
  DataTable decode(int[][] symbols, long seed) {
    DataTable any = codec.decode(symbols, seed);
    if (filters.isEmpty()) {
      return any;
    }
    var random = new SplittableRandom(seed);
    List<List<String>> cells = new ArrayList<>();
    for (int row = 0; row < symbols.length; row++) {
      List<String> own = new ArrayList<>(any.row(row));
      int[] from = symbols[row];
      filters.forEach((column, filter) -> own.set(column, filter.decode(from[column], random)));
      cells.add(own);
    }
    return DataTable.of(any.columns(), cells);
  }
}
