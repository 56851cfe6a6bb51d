package io.ringflow.table;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** How the cells of one column become symbols, and back. A plain value. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = TableColumn.Categories.class, name = "categories"),
  @JsonSubTypes.Type(value = TableColumn.Bins.class, name = "bins")
})
public sealed interface TableColumn {
  /** The column's name, not empty. */
  String name();

  /** How a missing value was written; none if no training row lacked one. */
  ValueCounts missing();

  /** The number of symbols, at least 1. */
  int cardinality();

  /** In how many training rows the column was seen: in all. */
  long rows();

  /** The symbol of a missing value, always the last; -1 if there is none. */
  default int missingSymbol() {
    return missing().none() ? -1 : cardinality() - 1;
  }

  /**
   * A column of values: a symbol for each of them, then, if there are any, one for all rare values
   * together and one for the missing one.
   *
   * @param name of the column
   * @param values those with a symbol of their own, which is their place
   * @param rare those that share a symbol; none, or at least two
   * @param missing how a missing value was written
   */
  record Categories(String name, ValueCounts values, ValueCounts rare, ValueCounts missing)
      implements TableColumn {
    /** Checks that there is a symbol, and none of two meanings. */
    public Categories {
      CellText.requireName(name);
      if (rare.size() == 1) {
        throw new IllegalArgumentException("a single rare value must have a symbol of its own");
      }
      Set<String> all = new HashSet<>(values.values());
      all.addAll(rare.values());
      all.addAll(missing.values());
      if (all.isEmpty()) {
        throw new IllegalArgumentException("a column needs a value");
      }
      if (all.size() < values.size() + rare.size() + missing.size()) {
        throw new IllegalArgumentException("a value has two symbols");
      }
    }

    @Override
    public int cardinality() {
      return values.size() + (rare.none() ? 0 : 1) + (missing.none() ? 0 : 1);
    }

    @Override
    public long rows() {
      return values.total() + rare.total() + missing.total();
    }

    /** The symbol all rare values share; -1 if none is rare. */
    public int rareSymbol() {
      return rare.none() ? -1 : values.size();
    }
  }

  /**
   * A column of numbers, cut into bins of about as many training rows each: a symbol for each bin,
   * then, if there is any, one for the missing value.
   *
   * <p>A number belongs to the last bin that begins at or below it, and to the first if none does.
   * So each number has a bin, and one beyond all those of training has an outermost one.
   *
   * @param name of the column
   * @param bins in ascending order
   * @param minDecimals the fewest digits that a training number had behind the point
   * @param maxDecimals the most
   * @param missing how a missing value was written
   */
  record Bins(String name, List<Bin> bins, int minDecimals, int maxDecimals, ValueCounts missing)
      implements TableColumn {
    /** Checks that the bins ascend, and that each can be written with the decimals. */
    public Bins {
      CellText.requireName(name);
      bins = List.copyOf(bins);
      if (bins.isEmpty()) {
        throw new IllegalArgumentException("a column of numbers needs a bin");
      }
      for (int i = 1; i < bins.size(); i++) {
        if (bins.get(i - 1).to().compareTo(bins.get(i).from()) >= 0) {
          throw new IllegalArgumentException(
              "bin " + i + " must be above " + bins.get(i - 1) + ", but is " + bins.get(i));
        }
      }
      int needed = bins.stream().mapToInt(Bin::decimals).max().orElseThrow();
      if (minDecimals < 0 || minDecimals > maxDecimals || maxDecimals < needed) {
        throw new IllegalArgumentException(
            String.format(
                "decimals must be at least 0 and at most %d or more, but are %d to %d",
                needed, minDecimals, maxDecimals));
      }
      if (maxDecimals > Decimal.MAX_DECIMALS) {
        throw new IllegalArgumentException(
            "mostDecimals must be at most " + Decimal.MAX_DECIMALS + ", but is " + maxDecimals);
      }
    }

    @Override
    public int cardinality() {
      return bins.size() + (missing.none() ? 0 : 1);
    }

    @Override
    public long rows() {
      return bins.stream().mapToLong(Bin::count).sum() + missing.total();
    }
  }

  /**
   * Numbers that share a symbol.
   *
   * @param least the smallest training number, as it was written
   * @param greatest the largest one
   * @param count of training rows, at least 1
   */
  record Bin(String least, String greatest, int count) {
    /** Checks the order and the count. */
    public Bin {
      if (number("least", least).compareTo(number("greatest", greatest)) > 0) {
        throw new IllegalArgumentException(
            "least must be at most " + greatest + ", but is " + least);
      }
      if (count < 1) {
        throw new IllegalArgumentException("count must be at least 1, but is " + count);
      }
    }

    private static BigDecimal number(String name, String text) {
      BigDecimal number = Decimal.parse(text);
      if (number == null) {
        throw new IllegalArgumentException(
            name + " must be a number, but is " + CellText.shown(text));
      }
      return number;
    }

    BigDecimal from() {
      return number("least", least);
    }

    BigDecimal to() {
      return number("greatest", greatest);
    }

    private int decimals() {
      return Math.max(Decimal.decimals(from()), Decimal.decimals(to()));
    }

    /** Such as {@code 17 to 21}. */
    @Override
    public String toString() {
      return from().compareTo(to()) == 0
          ? least.strip()
          : least.strip() + " to " + greatest.strip();
    }
  }
}
