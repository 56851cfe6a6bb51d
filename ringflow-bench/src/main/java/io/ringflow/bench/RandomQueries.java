package io.ringflow.bench;

import io.ringflow.core.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Random conjunctions that at least one row of a table satisfies, as learned cardinality estimators
 * are measured: one to five columns, and for each the value of a row that is picked at random. Half
 * of the columns must equal it; a quarter must be among it and up to a quarter of the column's
 * values; a quarter must not be another value.
 */
final class RandomQueries {
  private static final int MAX_COLUMNS = 5;

  private final Space space;
  private final List<String> names;
  private final int[][] rows;
  private final int[][] seen; // the symbols of each column that some row has
  private final RandomGenerator random;
  private final int maxColumns;

  RandomQueries(Space space, List<String> names, int[][] rows, RandomGenerator random) {
    this(space, names, rows, random, MAX_COLUMNS);
  }

  /** Conjunctions of one to so many columns: the more there are, the rarer is the rarest. */
  RandomQueries(
      Space space, List<String> names, int[][] rows, RandomGenerator random, int maxColumns) {
    this.space = space;
    this.maxColumns = maxColumns;
    this.names = names;
    this.rows = rows;
    this.random = random;
    this.seen = new int[space.size()][];
    for (int d = 0; d < seen.length; d++) {
      int column = d;
      seen[d] = Arrays.stream(rows).mapToInt(row -> row[column]).sorted().distinct().toArray();
    }
  }

  /**
   * A conjunction.
   *
   * @param text as a condition
   * @param weights 1 for each symbol that is allowed, by column
   */
  record Query(String text, Map<Integer, double[]> weights) {
    boolean accepts(int[] row) {
      for (Map.Entry<Integer, double[]> entry : weights.entrySet()) {
        if (entry.getValue()[row[entry.getKey()]] == 0) {
          return false;
        }
      }
      return true;
    }
  }

  Query next() {
    int[] row = rows[random.nextInt(rows.length)];
    int columns = 1 + random.nextInt(Math.min(maxColumns, space.size()));
    Map<Integer, double[]> weights = new LinkedHashMap<>();
    List<String> terms = new ArrayList<>();
    while (weights.size() < columns) {
      int column = random.nextInt(space.size());
      if (!weights.containsKey(column)) {
        weights.put(column, new double[space.cardinality(column)]);
        terms.add(term(column, row[column], weights.get(column)));
      }
    }
    return new Query(String.join(" AND ", terms), weights);
  }

  private String term(int column, int symbol, double[] weights) {
    String name = names.get(column);
    int[] known = seen[column];
    int kind = random.nextInt(4);
    if (kind == 3 && known.length > 1) {
      int own = Arrays.binarySearch(known, symbol);
      int other = known[(own + 1 + random.nextInt(known.length - 1)) % known.length];
      Arrays.fill(weights, 1);
      weights[other] = 0;
      return name + " != v" + other;
    }
    weights[symbol] = 1;
    if (kind < 2) {
      return name + " = v" + symbol;
    }
    int more = random.nextInt(1 + known.length / 4);
    for (int i = 0; i < more; i++) {
      weights[known[random.nextInt(known.length)]] = 1;
    }
    return IntStream.range(0, weights.length)
        .filter(k -> weights[k] > 0)
        .mapToObj(k -> "v" + k)
        .collect(Collectors.joining(", ", name + " IN (", ")"));
  }
}
