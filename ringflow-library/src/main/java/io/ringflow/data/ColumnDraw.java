package io.ringflow.data;

import io.ringflow.data.TableColumn.Bin;
import io.ringflow.data.TableColumn.Bins;
import io.ringflow.data.TableColumn.Categories;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Writes the symbols of one column as cells; what shares a symbol is drawn. */
final class ColumnDraw {
  private final TableColumn column;
  private final Shared missing;
  private final Shared rare;

  ColumnDraw(TableColumn column) {
    this.column = column;
    missing = new Shared(column.missing());
    rare = new Shared(column instanceof Categories categories ? categories.rare() : Tally.NONE);
  }

  String draw(int symbol, SplittableRandom random) {
    if (symbol == column.missingSymbol()) {
      return missing.draw(random);
    }
    if (column instanceof Bins numbers) {
      return draw(numbers, numbers.bins().get(symbol), random);
    }
    Categories categories = (Categories) column;
    return symbol == categories.rareSymbol()
        ? rare.draw(random)
        : categories.values().values().get(symbol);
  }

  /** All numbers of the bin that can be written with the column's decimals are equally likely. */
  private static String draw(Bins column, Bin bin, SplittableRandom random) {
    BigDecimal least = bin.from().setScale(column.mostDecimals());
    BigInteger steps = bin.to().subtract(least).setScale(column.mostDecimals()).unscaledValue();
    BigInteger step = BigInteger.ZERO;
    if (steps.signum() > 0) {
      // 53 random bits are fewer than some bins have numbers, but always below 1.
      step =
          new BigDecimal(random.nextDouble())
              .multiply(new BigDecimal(steps.add(BigInteger.ONE)))
              .toBigInteger();
    }
    BigDecimal number = least.add(new BigDecimal(step, column.mostDecimals()));
    BigDecimal shortest = number.stripTrailingZeros();
    return (shortest.scale() < column.leastDecimals()
            ? number.setScale(column.leastDecimals())
            : shortest)
        .toPlainString();
  }

  /** Values of one symbol, drawn as often as they were seen. */
  private static final class Shared {
    private final Tally tally;
    private final long[] ends; // how many rows the values up to each one have together

    Shared(Tally tally) {
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
