package io.ringflow.internal.checks;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Collectors;

/** Suggests known texts for a misspelt one, by edit distance. */
public final class Suggestions {
  private static final int MAX_SUGGESTIONS = 5;

  /** Only so many characters are compared, because the cost is the product of both lengths. */
  private static final int MAX_LENGTH = 40;

  private record Near(String text, int distance) {}

  private Suggestions() {}

  /** Says that a name is unknown, such as {@code there is no column 'a'; near: 'b', 'c'}. */
  public static String missing(String what, String name, Collection<String> known) {
    String start = "there is no " + what + " " + Quotes.quoted(name);
    return known.isEmpty() ? start : start + "; near: " + of(name, known);
  }

  /** The five nearest texts in quotes, the nearest first. */
  public static String of(String wanted, Collection<String> known) {
    String start = start(wanted);
    return known.stream()
        .map(text -> new Near(text, distance(start, start(text))))
        .sorted(Comparator.comparingInt(Near::distance).thenComparing(Near::text))
        .limit(MAX_SUGGESTIONS)
        .map(near -> Quotes.quoted(near.text()))
        .collect(Collectors.joining(", "));
  }

  private static String start(String text) {
    String stripped = text.strip();
    return stripped.substring(0, Math.min(MAX_LENGTH, stripped.length())).toLowerCase(Locale.ROOT);
  }

  /** The minimum number of letters to insert, delete or change. */
  static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
