package io.ringflow.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * Values as they were written, and in how many training rows each was seen. The most frequent come
 * first; of equally frequent ones {@link #of} puts the smaller text first.
 *
 * @param values all different
 * @param counts of each value, at least 1, none larger than the one before
 */
public record ValueCounts(List<String> values, List<Integer> counts) {
  /** Of nothing. */
  public static final ValueCounts NONE = new ValueCounts(List.of(), List.of());

  private static final Comparator<Map.Entry<String, Integer>> MOST_FREQUENT_FIRST =
      Map.Entry.<String, Integer>comparingByValue()
          .reversed()
          .thenComparing(Map.Entry.comparingByKey());

  /** Checks that values and counts belong together. */
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
            "value " + i + ", " + CellText.shown(values.get(i)) + ", is there twice");
      }
      int most = i == 0 ? Integer.MAX_VALUE : counts.get(i - 1);
      if (counts.get(i) < 1 || counts.get(i) > most) {
        throw new IllegalArgumentException(
            "count " + i + " must be in 1.." + most + ", but is " + counts.get(i));
      }
    }
  }

  /** In the order of a tally, whatever the map's. */
  static ValueCounts of(Map<String, Integer> counts) {
    List<Map.Entry<String, Integer>> entries = new ArrayList<>(counts.entrySet());
    entries.sort(MOST_FREQUENT_FIRST);
    return new ValueCounts(
        entries.stream().map(Map.Entry::getKey).toList(),
        entries.stream().map(Map.Entry::getValue).toList());
  }

  /** The values from one on, up to another. */
  ValueCounts slice(int from, int to) {
    return new ValueCounts(values.subList(from, to), counts.subList(from, to));
  }

  /** How many values there are. */
  public int size() {
    return values.size();
  }

  /** Whether there is no value. */
  boolean none() {
    return values.isEmpty();
  }

  /** In how many rows one of the values was seen. */
  public long total() {
    return counts.stream().mapToLong(Integer::longValue).sum();
  }
}
