package io.ringflow.table;

import io.ringflow.table.TableColumn.Bin;
import io.ringflow.table.TableColumn.Bins;
import io.ringflow.table.TableColumn.Categories;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Writes the symbols of one column as cells; what shares a symbol is drawn. */
final class ColumnDecoder {
  private final TableColumn column;
  private final Shared missing;
  private final Shared rare;
  private final List<Grid> grids; // of the bins

  ColumnDecoder(TableColumn column) {
    this.column = column;
    grids =
        column instanceof Bins numbers
            ? numbers.bins().stream().map(bin -> new Grid(numbers, bin)).toList()
            : List.of();
    missing = new Shared(column.missing());
    rare =
        new Shared(column instanceof Categories categories ? categories.rare() : ValueCounts.NONE);
  }

  String draw(int symbol, SplittableRandom random) {
    if (symbol == column.missingSymbol()) {
      return missing.draw(random);
    }
    if (column instanceof Bins) {
      return grids.get(symbol).draw(random);
    }
    Categories categories = (Categories) column;
    return symbol == categories.rareSymbol()
        ? rare.draw(random)
        : categories.values().values().get(symbol);
  }

  /** The numbers of a bin that can be written with the column's decimals, all equally likely. */
  private static final class Grid {
    private final Bins column;
    private final BigDecimal least;
    private final BigInteger size;

    Grid(Bins column, Bin bin) {
      this.column = column;
      least = bin.from().setScale(column.maxDecimals());
      BigDecimal width = bin.to().subtract(least).setScale(column.maxDecimals());
      size = width.unscaledValue().add(BigInteger.ONE);
    }

    String draw(SplittableRandom random) {
      BigDecimal number = least.add(new BigDecimal(step(random), column.maxDecimals()));
      BigDecimal shortest = number.stripTrailingZeros();
      return (shortest.scale() < column.minDecimals()
              ? number.setScale(column.minDecimals())
              : shortest)
          .toPlainString();
    }

    private BigInteger step(SplittableRandom random) {
      if (size.bitLength() < Long.SIZE) {
        return BigInteger.valueOf(random.nextLong(size.longValueExact()));
      }
      // More numbers than a long can count: 53 random bits spread over them, always below 1.
      return new BigDecimal(random.nextDouble()).multiply(new BigDecimal(size)).toBigInteger();
    }
  }

  /** Values of one symbol, drawn as often as they were seen. */
  private static final class Shared {
    private final ValueCounts tally;
    private final long[] ends; // how many rows the values up to each one have together

    Shared(ValueCounts tally) {
      this.tally = tally;
      ends = tally.counts().stream().mapToLong(Integer::longValue).toArray();
      Arrays.parallelPrefix(ends, Long::sum);
    }

    String draw(SplittableRandom random) {
      if (ends.length == 1) {
        return tally.values().get(0);
      }
      int found = Arrays.binarySearch(ends, random.nextLong(ends[ends.length - 1]));
      // A row that equals an end is the first of the next value.
      return tally.values().get(found >= 0 ? found + 1 : -found - 1);
    }
  }
}
