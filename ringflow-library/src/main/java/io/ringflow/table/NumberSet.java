package io.ringflow.table;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Numbers of a column of bins, in units of its last decimal: intervals that ascend and do not
 * touch.
 */
final class NumberSet {
  private record Interval(BigInteger first, BigInteger last) {
    boolean isEmpty() {
      return first.compareTo(last) > 0;
    }

    Interval within(BigInteger min, BigInteger max) {
      return new Interval(first.max(min), last.min(max));
    }
  }

  private final List<Interval> intervals;

  private NumberSet(List<Interval> intervals) {
    this.intervals = intervals;
  }

  /** All numbers from one to another. */
  static NumberSet of(BigInteger first, BigInteger last) {
    Interval all = new Interval(first, last);
    return new NumberSet(all.isEmpty() ? List.of() : List.of(all));
  }

  /** Those of some numbers that have the decimals. */
  static NumberSet of(Collection<BigDecimal> numbers, int decimals) {
    List<BigInteger> units =
        numbers.stream()
            .filter(number -> number.stripTrailingZeros().scale() <= decimals)
            .map(number -> number.setScale(decimals, RoundingMode.UNNECESSARY).unscaledValue())
            .sorted(Comparator.naturalOrder())
            .distinct()
            .toList();
    return new NumberSet(units.stream().map(unit -> new Interval(unit, unit)).toList());
  }

  /** The numbers of this set that are in another. */
  NumberSet and(NumberSet other) {
    List<Interval> both = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < intervals.size() && j < other.intervals.size()) {
      Interval a = intervals.get(i);
      Interval b = other.intervals.get(j);
      Interval shared = a.within(b.first, b.last);
      if (!shared.isEmpty()) {
        both.add(shared);
      }
      if (a.last.compareTo(b.last) <= 0) {
        i++;
      } else {
        j++;
      }
    }
    return new NumberSet(both);
  }

  /** The numbers between two, these included, that are not in this set. */
  NumberSet complement(BigInteger min, BigInteger max) {
    List<Interval> gaps = new ArrayList<>();
    BigInteger from = min;
    for (Interval interval : intervals) {
      Interval gap = new Interval(from, interval.first.subtract(BigInteger.ONE).min(max));
      if (!gap.isEmpty()) {
        gaps.add(gap);
      }
      from = from.max(interval.last.add(BigInteger.ONE));
    }
    Interval rest = new Interval(from, max);
    if (!rest.isEmpty()) {
      gaps.add(rest);
    }
    return new NumberSet(gaps);
  }

  /** Whether a number is one of these. */
  boolean contains(BigInteger number) {
    int from = 0;
    int to = intervals.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (intervals.get(middle).last.compareTo(number) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from < intervals.size() && intervals.get(from).first.compareTo(number) <= 0;
  }

  /** How many numbers there are. */
  BigInteger size() {
    return intervals.stream()
        .map(interval -> interval.last.subtract(interval.first).add(BigInteger.ONE))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** The number with so many smaller ones in the set. */
  BigInteger get(BigInteger index) {
    BigInteger left = index;
    for (Interval interval : intervals) {
      BigInteger found = interval.first.add(left);
      if (found.compareTo(interval.last) <= 0) {
        return found;
      }
      left = found.subtract(interval.last).subtract(BigInteger.ONE);
    }
    throw new IndexOutOfBoundsException("index " + index + " of " + size());
  }
}
