package io.ringflow.table;

import io.ringflow.table.TableColumn.Bins;
import io.ringflow.table.TableColumn.Categories;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Writes the symbols of one column as cells; of values that share a symbol, one is sampled. */
final class ColumnDecoder {
  private final TableColumn column;
  private final SharedSymbol missing;
  private final SharedSymbol rare;
  private final List<BinGrid> grids; // of the bins

  ColumnDecoder(TableColumn column) {
    this.column = column;
    grids =
        column instanceof Bins numbers
            ? numbers.bins().stream().map(bin -> new BinGrid(numbers, bin)).toList()
            : List.of();
    missing = new SharedSymbol(column.missing());
    rare =
        new SharedSymbol(
            column instanceof Categories categories ? categories.rare() : ValueCounts.NONE);
  }

  String decode(int symbol, SplittableRandom random) {
    if (symbol == column.missingSymbol()) {
      return missing.sample(random);
    }
    if (column instanceof Bins) {
      return grids.get(symbol).sample(random);
    }
    Categories categories = (Categories) column;
    return symbol == categories.rareSymbol()
        ? rare.sample(random)
        : categories.values().values().get(symbol);
  }

  /** One of some numbers of a bin. */
  String number(int symbol, NumberSet some, SplittableRandom random) {
    return grids.get(symbol).sample(some, random);
  }

  /** The likeliest cell of a symbol; of a bin's numbers the middle one, which is far from none. */
  String likeliest(int symbol) {
    if (symbol == column.missingSymbol()) {
      return missing.values.get(0);
    }
    if (column instanceof Bins) {
      return grids.get(symbol).middle();
    }
    Categories categories = (Categories) column;
    return symbol == categories.rareSymbol()
        ? rare.values.get(0)
        : categories.values().values().get(symbol);
  }

  /** Values that share a symbol, sampled as often as they were seen. */
  static final class SharedSymbol {
    private final List<String> values;
    private final long[] ends; // cumulative counts

    SharedSymbol(ValueCounts counts) {
      values = counts.values();
      ends = counts.counts().stream().mapToLong(Integer::longValue).toArray();
      Arrays.parallelPrefix(ends, Long::sum);
    }

    String sample(SplittableRandom random) {
      if (ends.length == 1) {
        return values.get(0);
      }
      int found = Arrays.binarySearch(ends, random.nextLong(ends[ends.length - 1]));
      // A row that equals an end is the first of the next value.
      return values.get(found >= 0 ? found + 1 : -found - 1);
    }
  }
}
