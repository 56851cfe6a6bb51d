package io.ringflow.paper.experiment;

import io.ringflow.core.WeightedRows;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.oracle.FullRankTable;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** The random tables of the experiment, one for each row and seed, and what is sampled of them. */
final class FullRankData {
  static final int SAMPLE = 50_000;

  /** Rows to count in: so many for each cell, and in all at least so many. */
  static final long COUNTED_PER_CELL = 41;

  static final long COUNTED_AT_LEAST = 40_000_000;

  /** Rows to count the marginals of a factorised base in. */
  private static final int MARGINAL_ROWS = 1_000_000;

  private static final int CELLS_AT_ONCE = 65_536;

  /** Which table, by sizes and seed. */
  private record Key(int d, int k, long seed) {}

  private final Map<Key, FullRankTable> tables = new ConcurrentHashMap<>();
  private final Map<Key, int[]> counts = new ConcurrentHashMap<>();

  FullRankTable table(FullRankRow row, long seed) {
    return tables.computeIfAbsent(
        new Key(row.d(), row.k(), seed), key -> FullRankTable.random(key.d, key.k, key.seed));
  }

  Batch sample(FullRankRow row, long seed, long counter, int count) {
    return Batch.of(table(row, seed).sample(count, Batches.random(seed, counter)));
  }

  /** How many rows to refit a base with; ten times as many estimate a result. */
  static int sample(Effort effort) {
    return switch (effort) {
      case QUICK -> 1000;
      case DEFAULT, FULL -> SAMPLE;
    };
  }

  static long countedRows(FullRankRow row, Effort effort) {
    long cells = Math.round(Math.pow(row.k(), row.d()));
    return effort == Effort.QUICK ? SAMPLE : Math.max(COUNTED_AT_LEAST, COUNTED_PER_CELL * cells);
  }

  WeightedRows marginalRows(FullRankRow row, long seed, Effort effort) {
    int count = effort == Effort.QUICK ? sample(effort) : MARGINAL_ROWS;
    return WeightedRows.once(sample(row, seed, -1, count).rows(), new int[0][]);
  }

  /** Sampled rows as counts of their cells, in parts; those that never came are left out. */
  Iterable<WeightedRows> counted(FullRankRow row, long seed, Effort effort) {
    FullRankTable table = table(row, seed);
    int[] all =
        counts.computeIfAbsent(
            new Key(row.d(), row.k(), seed),
            // Other random numbers than those of the batches.
            key -> table.sampleCounts(countedRows(row, effort), ~seed));
    return () ->
        IntStream.iterate(0, from -> from < all.length, from -> from + CELLS_AT_ONCE)
            .mapToObj(from -> part(table, all, from))
            .iterator();
  }

  private static WeightedRows part(FullRankTable table, int[] counts, int from) {
    int[] cells =
        IntStream.range(from, Math.min(from + CELLS_AT_ONCE, counts.length))
            .filter(cell -> counts[cell] > 0)
            .toArray();
    return WeightedRows.of(
        Arrays.stream(cells).mapToObj(table::row).toArray(int[][]::new),
        Arrays.stream(cells).mapToDouble(cell -> counts[cell]).toArray());
  }
}
