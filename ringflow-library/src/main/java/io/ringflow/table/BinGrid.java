package io.ringflow.table;

import io.ringflow.table.TableColumn.Bin;
import io.ringflow.table.TableColumn.Bins;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The numbers of a bin that can be written with the column's decimals, and how likely each is given
 * the bin: what a symbol is decoded to. They are counted in units of the last decimal.
 *
 * <p>A number that several training rows have is as likely as their count, less {@link #DISCOUNT},
 * says; what that leaves, all numbers of the bin share evenly (absolute discounting). So a weight
 * of exactly one carat stays frequent, and numbers that training did not have are possible.
 */
final class BinGrid {
  /** Rows of each repeated number that count for all numbers alike. */
  private static final double DISCOUNT = 2;

  private final Bins column;
  private final BigInteger first;
  private final BigInteger last;
  private final TreeMap<BigInteger, Double> repeated =
      new TreeMap<>(); // shares beyond the even one
  private final double even;

  BinGrid(Bins column, Bin bin) {
    this.column = column;
    first = units(column, bin.minNumber());
    last = units(column, bin.maxNumber());
    double left = bin.count();
    for (int i = 0; i < bin.repeated().size(); i++) {
      double more = bin.repeated().counts().get(i) - DISCOUNT;
      BigInteger number = units(column, Decimal.parse(bin.repeated().values().get(i)));
      repeated.put(number, more / bin.count());
      left -= more;
    }
    even = left / bin.count();
  }

  private static BigInteger units(Bins column, BigDecimal number) {
    return number.setScale(column.maxDecimals()).unscaledValue();
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
  private BigInteger size() {
    return last.subtract(first).add(BigInteger.ONE);
  }

  /** The log-probability of one of the numbers. */
  double logProb(BigInteger units) {
    double evenly = Math.log(even) - log(size());
    Double more = repeated.get(units);
    return more == null ? evenly : Math.log(more + Math.exp(evenly));
  }

  /** The probability of some of the numbers. */
  double share(NumberSet some) {
    return some.size().equals(size()) ? 1 : evenShare(some) + repeatedShare(some);
  }

  private double evenShare(NumberSet some) {
    return even
        * new BigDecimal(some.size())
            .divide(new BigDecimal(size()), MathContext.DECIMAL128)
            .doubleValue();
  }

  private double repeatedShare(NumberSet some) {
    double sum = 0;
    for (var number : repeated.entrySet()) {
      sum += some.contains(number.getKey()) ? number.getValue() : 0;
    }
    return sum;
  }

  /** One of all numbers, as likely as they are. */
  String sample(SplittableRandom random) {
    return sample(NumberSet.of(first, last), random);
  }

  /** One of some of the numbers, at least one, as likely as they are. */
  String sample(NumberSet some, SplittableRandom random) {
    double among = repeated.isEmpty() ? 0 : repeatedShare(some);
    if (among > 0) {
      double left = random.nextDouble() * (among + evenShare(some));
      for (var number : repeated.entrySet()) {
        left -= some.contains(number.getKey()) ? number.getValue() : 0;
        if (left < 0) {
          return text(number.getKey());
        }
      }
    }
    return text(some.get(index(some.size(), random)));
  }

  /** The middle number, which is far from none; of two the smaller. */
  String middle() {
    return text(first.add(last.subtract(first).shiftRight(1)));
  }

  /** A number of units as it is written, with as few decimals as the column has. */
  private String text(BigInteger units) {
    BigDecimal number = new BigDecimal(units, column.maxDecimals());
    BigDecimal shortest = number.stripTrailingZeros();
    return (shortest.scale() < column.minDecimals()
            ? number.setScale(column.minDecimals())
            : shortest)
        .toPlainString();
  }

  /** One of the numbers from 0 to {@code size - 1}, all equally likely. */
  private static BigInteger index(BigInteger size, SplittableRandom random) {
    if (size.bitLength() < Long.SIZE) {
      return BigInteger.valueOf(random.nextLong(size.longValueExact()));
    }
    // More numbers than a long can count: 53 random bits spread over them, always below 1.
    return new BigDecimal(random.nextDouble()).multiply(new BigDecimal(size)).toBigInteger();
  }

  /** The natural logarithm of a positive number that may be too large for a double. */
  static double log(BigInteger number) {
    int shift = Math.max(0, number.bitLength() - Double.MAX_EXPONENT);
    return Math.log(number.shiftRight(shift).doubleValue()) + shift * Math.log(2);
  }
}
