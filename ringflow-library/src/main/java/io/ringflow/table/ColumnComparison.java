package io.ringflow.table;

import io.ringflow.table.TableColumn.Bins;
import io.ringflow.table.TableColumn.Categories;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How often each value of a column is there in real rows, and how often in a model's samples.
 *
 * @param column its name
 * @param ordered whether the values are numbers, in ascending order; else the most frequent of
 *     training come first
 * @param values all of the column; those that are rare, missing or new come last
 * @param realRows how many real rows were counted: those whose value is not {@linkplain
 *     TableCodec.Encoded#missing summed out}
 * @param sampledRows how many samples were counted
 */
public record ColumnComparison(
    String column, boolean ordered, List<Value> values, long realRows, long sampledRows) {
  /** Stands for all values that training never saw. */
  public static final String NEW = "(new)";

  /**
   * One value, or several that share a symbol.
   *
   * @param text the value, numbers such as {@code 17 to 21}, {@link Predictions#RARE}, {@link
   *     Predictions#MISSING} or {@link #NEW}
   * @param real its share of the real rows, 0 to 1
   * @param sampled its share of the samples, 0 to 1
   */
  public record Value(String text, double real, double sampled) {}

  /** Copies the list. */
  public ColumnComparison {
    values = List.copyOf(values);
  }

  /**
   * Compares each column of samples with real rows.
   *
   * @param real any rows of the codec, at least one
   * @param sampled rows of the model, at least one
   */
  public static List<ColumnComparison> of(
      TableCodec codec, TableCodec.Encoded real, TableCodec.Encoded sampled) {
    return IntStream.range(0, codec.columns().size())
        .mapToObj(
            d -> of(codec.columns().get(d), counts(codec, real, d), counts(codec, sampled, d)))
        .toList();
  }

  /**
   * Compares each column of samples with all rows of training, whose counts the codec has.
   *
   * @param sampled rows of the model, at least one
   */
  public static List<ColumnComparison> ofTraining(TableCodec codec, TableCodec.Encoded sampled) {
    return IntStream.range(0, codec.columns().size())
        .mapToObj(
            d -> {
              TableColumn column = codec.columns().get(d);
              return of(column, trained(column), counts(codec, sampled, d));
            })
        .toList();
  }

  /** Of each symbol, then of new values. */
  private static long[] counts(TableCodec codec, TableCodec.Encoded rows, int column) {
    long[] counts = new long[codec.columns().get(column).cardinality() + 1];
    for (int row = 0; row < rows.size(); row++) {
      boolean isNew = rows.unseen(row).contains(column);
      if (!rows.missing(row).contains(column)) {
        counts[isNew ? counts.length - 1 : rows.symbols()[row][column]]++;
      }
    }
    return counts;
  }

  private static long[] trained(TableColumn column) {
    long[] counts = new long[column.cardinality() + 1];
    if (column instanceof Bins bins) {
      for (int k = 0; k < bins.bins().size(); k++) {
        counts[k] = bins.bins().get(k).count();
      }
    } else {
      Categories categories = (Categories) column;
      for (int k = 0; k < categories.values().size(); k++) {
        counts[k] = categories.values().counts().get(k);
      }
      if (categories.rareSymbol() >= 0) {
        counts[categories.rareSymbol()] = categories.rare().total();
      }
    }
    if (column.missingSymbol() >= 0) {
      counts[column.missingSymbol()] = column.missing().total();
    }
    return counts;
  }

  private static ColumnComparison of(TableColumn column, long[] real, long[] sampled) {
    List<String> texts = new ArrayList<>(Predictions.values(column));
    texts.add(NEW);
    long realRows = Math.max(1, Arrays.stream(real).sum()); // all may be missing
    long sampledRows = Arrays.stream(sampled).sum();
    List<Value> values =
        Stream.concat(order(column).stream(), Stream.of(column.cardinality()))
            .filter(k -> k < column.cardinality() || real[k] + sampled[k] > 0)
            .map(
                k ->
                    new Value(
                        texts.get(k),
                        real[k] / (double) realRows,
                        sampled[k] / (double) sampledRows))
            .toList();
    return new ColumnComparison(
        column.name(), !numbers(column).isEmpty(), values, realRows, sampledRows);
  }

  /** The symbols of a column in the order of their values. */
  static List<Integer> order(TableColumn column) {
    List<BigDecimal> numbers = numbers(column);
    return Stream.concat(
            IntStream.range(0, numbers.size()).boxed().sorted(Comparator.comparing(numbers::get)),
            IntStream.range(numbers.size(), column.cardinality()).boxed())
        .toList();
  }

  /** Of a column's symbols, from the first: where all its values are numbers; empty elsewhere. */
  private static List<BigDecimal> numbers(TableColumn column) {
    if (column instanceof Bins bins) {
      return bins.bins().stream().map(TableColumn.Bin::minNumber).toList();
    }
    Categories categories = (Categories) column;
    if (categories.rareSymbol() >= 0) {
      return List.of();
    }
    List<BigDecimal> numbers =
        categories.values().values().stream()
            .map(Decimal::parse)
            .takeWhile(Objects::nonNull)
            .toList();
    return numbers.size() == categories.values().size() ? numbers : List.of();
  }

  /**
   * How far apart the two are: half the sum of the differences of all shares, 0 to 1 (the total
   * variation distance).
   */
  public double difference() {
    return variation().distance();
  }

  /** The {@link #difference} to expect of so many rows and samples of one distribution. */
  public double differenceByChance() {
    return variation().byChance();
  }

  private TotalVariation variation() {
    var variation = new TotalVariation(realRows, sampledRows);
    values.forEach(value -> variation.add(value.real, value.sampled));
    return variation;
  }
}
