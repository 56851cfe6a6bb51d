package io.ringflow.table;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.ringflow.internal.checks.Checks;
import io.ringflow.internal.checks.Quotes;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** How the cells of one column become symbols, and symbols cells. Immutable. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = TableColumn.Categories.class, name = "categories"),
  @JsonSubTypes.Type(value = TableColumn.Bins.class, name = "bins")
})
public sealed interface TableColumn {
  /** The column's name, not empty. */
  String name();

  /** The cells that stand for a missing value; empty if no training row lacked one. */
  ValueCounts missing();

  /** The number of symbols, at least 1. */
  int cardinality();

  /** The number of training rows. */
  long rows();

  /** The symbol of a missing value, always the last; -1 if there is none. */
  default int missingSymbol() {
    return missing().isEmpty() ? -1 : cardinality() - 1;
  }

  /** The share of training rows without a value, 0 to 1. */
  default double missingShare() {
    return missing().total() / (double) rows();
  }

  /**
   * A column of values: a symbol for each value, then one for all rare values together and one for
   * a missing value, if there are any.
   *
   * @param name of the column
   * @param values with a symbol each, which is the index
   * @param rare values that share a symbol; none, or at least two
   * @param missing the cells that stand for a missing value
   */
  record Categories(String name, ValueCounts values, ValueCounts rare, ValueCounts missing)
      implements TableColumn {
    /** Checks that there is a symbol, and that no value has two. */
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
      return values.size() + (rare.isEmpty() ? 0 : 1) + (missing.isEmpty() ? 0 : 1);
    }

    @Override
    public long rows() {
      return values.total() + rare.total() + missing.total();
    }

    /** The symbol that all rare values share; -1 if none is rare. */
    public int rareSymbol() {
      return rare.isEmpty() ? -1 : values.size();
    }

    /** The share of training rows with a rare value, 0 to 1. */
    public double rareShare() {
      return rare.total() / (double) rows();
    }

    /** Such as {@code job: 2 symbols, categories, 2 rare values in 50.0% of the rows}. */
    @Override
    public String toString() {
      return description(
          this,
          rare.isEmpty()
              ? "categories"
              : String.format(
                  Locale.ROOT,
                  "categories, %d rare values in %.1f%% of the rows",
                  rare.size(),
                  100 * rareShare()));
    }
  }

  /**
   * A column of numbers, cut into bins of about equally many training rows: a symbol for each bin,
   * then one for a missing value, if there is any.
   *
   * <p>A number belongs to the last bin that begins at or below it, and to the first if none does.
   * So every number has a bin; one beyond all those of training has the first or the last.
   *
   * @param name of the column
   * @param bins in ascending order
   * @param minDecimals the minimum number of digits behind the point of a training number
   * @param maxDecimals the maximum
   * @param missing the cells that stand for a missing value
   */
  record Bins(String name, List<Bin> bins, int minDecimals, int maxDecimals, ValueCounts missing)
      implements TableColumn {
    /** Checks that the bins ascend, and that their numbers have no more than the decimals. */
    public Bins {
      CellText.requireName(name);
      bins = List.copyOf(bins);
      if (bins.isEmpty()) {
        throw new IllegalArgumentException("a column of numbers needs a bin");
      }
      for (int i = 1; i < bins.size(); i++) {
        if (bins.get(i - 1).maxNumber().compareTo(bins.get(i).minNumber()) >= 0) {
          throw new IllegalArgumentException(
              "bin " + i + " must be above " + bins.get(i - 1) + ", but is " + bins.get(i));
        }
      }
      int needed = bins.stream().mapToInt(Bin::decimals).max().orElseThrow();
      Checks.inRange("maxDecimals", maxDecimals, needed, Decimal.MAX_DECIMALS);
      Checks.inRange("minDecimals", minDecimals, 0, maxDecimals);
    }

    @Override
    public int cardinality() {
      return bins.size() + (missing.isEmpty() ? 0 : 1);
    }

    @Override
    public long rows() {
      return bins.stream().mapToLong(Bin::count).sum() + missing.total();
    }

    /** The smallest and the largest training number, such as {@code 17 to 90}. */
    public String range() {
      return new Bin(bins.get(0).min(), bins.get(bins.size() - 1).max(), 1).toString();
    }

    /** Such as {@code age: 33 symbols, numbers 17 to 90 in bins, 1.2% missing}. */
    @Override
    public String toString() {
      return description(this, "numbers " + range() + " in bins");
    }
  }

  /**
   * Numbers that share a symbol.
   *
   * @param min the smallest training number, as it was written
   * @param max the largest one
   * @param count of training rows, at least 1
   * @param repeated numbers that at least three of these rows have, by how many
   */
  record Bin(String min, String max, int count, ValueCounts repeated) {
    /** Checks the order, the counts and the repeated numbers. */
    public Bin {
      if (number("min", min).compareTo(number("max", max)) > 0) {
        throw new IllegalArgumentException("min must be at most " + max + ", but is " + min);
      }
      Checks.inRange("count", count, Math.max(1, repeated.total()), Integer.MAX_VALUE);
      Set<BigDecimal> different = new TreeSet<>(); // which finds 1.0 where 1 is
      for (int i = 0; i < repeated.size(); i++) {
        Checks.atLeast("a repeated number's count", repeated.counts().get(i), 3);
        String text = repeated.values().get(i);
        BigDecimal number = number("a repeated value", text);
        if (number.compareTo(number("min", min)) < 0 || number.compareTo(number("max", max)) > 0) {
          throw new IllegalArgumentException(
              "repeated numbers must be in " + min + " to " + max + ", but " + text + " is not");
        }
        if (!different.add(number)) {
          throw new IllegalArgumentException("the repeated number " + text + " is there twice");
        }
      }
    }

    /** Of numbers that are not repeated. */
    public Bin(String min, String max, int count) {
      this(min, max, count, ValueCounts.NONE);
    }

    /** A bin as a file has it; one of before repeated numbers were kept has none. */
    private static final class Stored {
      @JsonProperty String min;
      @JsonProperty String max;
      @JsonProperty Integer count;
      @JsonProperty ValueCounts repeated = ValueCounts.NONE;
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    private static Bin of(Stored stored) {
      return new Bin(stored.min, stored.max, stored.count, stored.repeated);
    }

    private static BigDecimal number(String name, String text) {
      BigDecimal number = Decimal.parse(text);
      if (number == null) {
        throw new IllegalArgumentException(
            name + " must be a number, but is " + Quotes.quoted(text));
      }
      return number;
    }

    BigDecimal minNumber() {
      return number("min", min);
    }

    BigDecimal maxNumber() {
      return number("max", max);
    }

    private int decimals() {
      return Stream.concat(Stream.of(min, max), repeated.values().stream())
          .mapToInt(text -> Decimal.decimals(number("a number", text)))
          .max()
          .orElseThrow();
    }

    /** Such as {@code 17 to 21}. */
    @Override
    public String toString() {
      return minNumber().compareTo(maxNumber()) == 0
          ? min.strip()
          : min.strip() + " to " + max.strip();
    }
  }

  private static String description(TableColumn column, String kind) {
    int symbols = column.cardinality();
    String text = column.name() + ": " + symbols + (symbols == 1 ? " symbol, " : " symbols, ");
    double missing = 100 * column.missingShare();
    return text
        + kind
        + (missing > 0 ? String.format(Locale.ROOT, ", %.1f%% missing", missing) : "");
  }
}
