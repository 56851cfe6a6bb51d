package io.ringflow.table;

import io.ringflow.internal.checks.Checks;
import io.ringflow.internal.checks.Quotes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Values as they were written, and the number of training rows of each. The most frequent value
 * comes first; of equally frequent ones {@link #of} puts the smaller text first.
 *
 * @param values all different
 * @param counts of each value, at least 1, in descending order
 */
public record ValueCounts(List<String> values, List<Integer> counts) {
  /** No values. */
  public static final ValueCounts NONE = new ValueCounts(List.of(), List.of());

  private static final Comparator<Map.Entry<String, Integer>> MOST_FREQUENT_FIRST =
      Map.Entry.<String, Integer>comparingByValue()
          .reversed()
          .thenComparing(Map.Entry.comparingByKey());

  /** Checks that every value has a count, and their order. */
  public ValueCounts {
    values = List.copyOf(values);
    counts = List.copyOf(counts);
    if (values.size() != counts.size()) {
      throw new IllegalArgumentException(
          "there are " + values.size() + " values, but " + counts.size() + " counts");
    }
    var seen = new HashSet<String>();
    for (int i = 0; i < values.size(); i++) {
      if (!seen.add(CellText.require("value " + i, values.get(i)))) {
        throw new IllegalArgumentException(
            "value " + i + ", " + Quotes.quoted(values.get(i)) + ", is there twice");
      }
      int max = i == 0 ? Integer.MAX_VALUE : counts.get(i - 1);
      Checks.inRange("count " + i, counts.get(i), 1, max);
    }
  }

  /** The values and counts of a map, in any order. */
  static ValueCounts of(Map<String, Integer> counts) {
    List<Map.Entry<String, Integer>> entries = new ArrayList<>(counts.entrySet());
    entries.sort(MOST_FREQUENT_FIRST);
    return new ValueCounts(
        entries.stream().map(Map.Entry::getKey).toList(),
        entries.stream().map(Map.Entry::getValue).toList());
  }

  /** The values with an index in {@code from} to {@code to - 1}. */
  ValueCounts slice(int from, int to) {
    return new ValueCounts(values.subList(from, to), counts.subList(from, to));
  }

  /** The values that pass a test. */
  ValueCounts filter(Predicate<String> test) {
    List<Integer> kept =
        IntStream.range(0, values.size()).filter(i -> test.test(values.get(i))).boxed().toList();
    return new ValueCounts(
        kept.stream().map(values::get).toList(), kept.stream().map(counts::get).toList());
  }

  /** The number of values. */
  public int size() {
    return values.size();
  }

  // Not public: JSON would take it for a property.
  boolean isEmpty() {
    return values.isEmpty();
  }

  /** The number of training rows with one of the values. */
  public long total() {
    return counts.stream().mapToLong(Integer::longValue).sum();
  }
}
