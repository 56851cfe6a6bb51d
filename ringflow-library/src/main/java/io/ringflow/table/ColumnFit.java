package io.ringflow.table;

import io.ringflow.table.TableColumn.Bin;
import io.ringflow.table.TableColumn.Bins;
import io.ringflow.table.TableColumn.Categories;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Learns from a column's training cells how they become symbols. */
final class ColumnFit {
  /** Equal numbers may be written in several ways; the shortest one comes first. */
  private static final Comparator<Written> ASCENDING =
      Comparator.comparing(Written::value)
          .thenComparing(number -> number.text().length())
          .thenComparing(Written::text);

  /** Numbers in fewer rows tell nothing: those of a bin are seen once or twice by chance. */
  private static final int MIN_REPEATED = 3;

  private static final int MAX_REPEATED = 1 << 14;

  /** A number, one way it was written, and the number of rows that have it so. */
  private record Written(BigDecimal value, String text, int count) {}

  private final String name;
  private final CodecOptions options;
  private final Map<String, Integer> present = new HashMap<>();
  private final Map<String, Integer> missing = new HashMap<>();

  private ColumnFit(String name, TextColumn column, CodecOptions options) {
    this.name = name;
    this.options = options;
    int[] counts = column.counts();
    for (int id = 0; id < counts.length; id++) {
      if (counts[id] > 0) {
        String text = column.text(id);
        (options.isMissing(text) ? missing : present).put(text, counts[id]);
      }
    }
  }

  /**
   * The cells of a column that are summed out; none in a column without any value, which could not
   * be one else.
   */
  static ValueCounts summedOut(String name, TextColumn column, CodecOptions options) {
    var fit = new ColumnFit(name, column, options);
    return fit.sumsOut() ? ValueCounts.of(fit.missing) : ValueCounts.NONE;
  }

  private boolean sumsOut() {
    return options.missingValues() == MissingValues.SUMMED_OUT && !present.isEmpty();
  }

  static TableColumn fit(String name, TextColumn column, CodecOptions options) {
    var fit = new ColumnFit(name, column, options);
    if (fit.sumsOut()) {
      fit.missing.clear();
    }
    List<Written> numbers = fit.numbers();
    if (numbers == null) {
      return fit.withRareShared();
    }
    return numbers.size() > options.maxCategories()
        ? fit.cut(numbers)
        : new Categories(
            name, ValueCounts.of(fit.present), ValueCounts.NONE, ValueCounts.of(fit.missing));
  }

  /** All values that are not missing as numbers, ascending; null if one is no number. */
  private List<Written> numbers() {
    List<Written> numbers = new ArrayList<>();
    for (Map.Entry<String, Integer> entry : present.entrySet()) {
      BigDecimal value = Decimal.parse(entry.getKey());
      if (value == null) {
        return null;
      }
      numbers.add(new Written(value, entry.getKey(), entry.getValue()));
    }
    numbers.sort(ASCENDING);
    return numbers;
  }

  private Categories withRareShared() {
    ValueCounts all = ValueCounts.of(present);
    int kept = 0;
    while (kept < all.size() && all.counts().get(kept) >= options.minCount()) {
      kept++;
    }
    if (all.size() > options.maxTexts()) {
      kept = Math.min(kept, options.maxTexts() - 1);
    }
    if (kept == all.size() - 1) {
      kept++; // a single rare value needs no shared symbol
    }
    int others = missing.isEmpty() ? 0 : 1;
    int symbols = kept + (kept < all.size() ? 1 : 0) + others;
    int inParts = ColumnParts.fitting(symbols);
    if (inParts < symbols) {
      kept = inParts - 1 - others; // a few more are rare, so that every pair of parts is a symbol
    }
    return new Categories(
        name, all.slice(0, kept), all.slice(kept, all.size()), ValueCounts.of(missing));
  }

  /**
   * Cuts numbers into bins by quantiles: the middle of a number's rows among all rows says its bin.
   * So equal numbers stay together, and one with the rows of two bins has a bin of its own, because
   * the middles of its neighbours are a bin away.
   */
  private Bins cut(List<Written> numbers) {
    long rows = numbers.stream().mapToLong(Written::count).sum();
    int max = options.bins(rows);
    int minRepeated = minRepeated(numbers);
    List<Bin> bins = new ArrayList<>();
    long before = 0;
    long bin = -1;
    List<Written> together = new ArrayList<>();
    for (int start = 0; start < numbers.size(); ) {
      int end = start + 1;
      long count = numbers.get(start).count();
      while (end < numbers.size()
          && numbers.get(end).value().compareTo(numbers.get(start).value()) == 0) {
        count += numbers.get(end++).count();
      }
      long next = max * (2 * before + count) / (2 * rows);
      if (next != bin && !together.isEmpty()) {
        bins.add(bin(together, minRepeated));
        together.clear();
      }
      together.addAll(numbers.subList(start, end));
      bin = next;
      before += count;
      start = end;
    }
    bins.add(bin(together, minRepeated));
    return new Bins(
        name,
        bins,
        numbers.stream().mapToInt(n -> Decimal.decimals(n.value())).min().orElseThrow(),
        numbers.stream().mapToInt(n -> Decimal.decimals(n.value())).max().orElseThrow(),
        ValueCounts.of(missing));
  }

  /** In so many rows a number must be for its count to be kept. */
  private int minRepeated(List<Written> numbers) {
    int min = Math.max(MIN_REPEATED, options.minCount());
    List<Integer> counts =
        numbers.stream().map(Written::count).sorted(Comparator.reverseOrder()).toList();
    return counts.size() > MAX_REPEATED ? Math.max(min, counts.get(MAX_REPEATED) + 1) : min;
  }

  /** A bin of numbers, of which equal ones stand together, the shortest text first. */
  private static Bin bin(List<Written> numbers, int minRepeated) {
    Map<BigDecimal, Integer> counts = new TreeMap<>(); // in which 1.0 is 1
    Map<BigDecimal, String> texts = new TreeMap<>();
    for (Written number : numbers) {
      counts.merge(number.value(), number.count(), Integer::sum);
      texts.putIfAbsent(number.value(), number.text());
    }
    Map<String, Integer> repeated = new HashMap<>();
    counts.forEach(
        (number, count) -> {
          if (count >= minRepeated && counts.size() > 1) {
            repeated.put(texts.get(number), count);
          }
        });
    return new Bin(
        numbers.get(0).text(),
        texts.get(numbers.get(numbers.size() - 1).value()),
        numbers.stream().mapToInt(Written::count).sum(),
        ValueCounts.of(repeated));
  }
}
