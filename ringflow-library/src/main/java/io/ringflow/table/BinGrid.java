package io.ringflow.table;

import io.ringflow.table.TableColumn.Bin;
import io.ringflow.table.TableColumn.Bins;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.SplittableRandom;

/**
 * The numbers of a bin that can be written with the column's decimals, all equally likely: what a
 * symbol is decoded to. They are counted in units of the last decimal.
 */
final class BinGrid {
  private final Bins column;
  private final BigInteger first;
  private final BigInteger last;

  BinGrid(Bins column, Bin bin) {
    this.column = column;
    first = bin.minNumber().setScale(column.maxDecimals()).unscaledValue();
    last = bin.maxNumber().setScale(column.maxDecimals()).unscaledValue();
  }

  /** The smallest number, in units. */
  BigInteger first() {
    return first;
  }

  /** The largest number, in units. */
  BigInteger last() {
    return last;
  }

  /** How many numbers there are. */
  BigInteger size() {
    return last.subtract(first).add(BigInteger.ONE);
  }

  String sample(SplittableRandom random) {
    return text(column, first.add(index(size(), random)));
  }

  /** The middle number; of two the smaller. */
  String middle() {
    return text(column, first.add(last.subtract(first).shiftRight(1)));
  }

  /** A number of units as it is written, with as few decimals as the column has. */
  static String text(Bins column, BigInteger units) {
    BigDecimal number = new BigDecimal(units, column.maxDecimals());
    BigDecimal shortest = number.stripTrailingZeros();
    return (shortest.scale() < column.minDecimals()
            ? number.setScale(column.minDecimals())
            : shortest)
        .toPlainString();
  }

  /** One of the numbers from 0 to {@code size - 1}, all equally likely. */
  static BigInteger index(BigInteger size, SplittableRandom random) {
    if (size.bitLength() < Long.SIZE) {
      return BigInteger.valueOf(random.nextLong(size.longValueExact()));
    }
    // More numbers than a long can count: 53 random bits spread over them, always below 1.
    return new BigDecimal(random.nextDouble()).multiply(new BigDecimal(size)).toBigInteger();
  }
}
