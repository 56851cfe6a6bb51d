package io.ringflow.table;

import static io.ringflow.table.ConditionTokens.mistake;

import io.ringflow.internal.checks.Quotes;
import io.ringflow.internal.checks.Suggestions;
import io.ringflow.table.TableColumn.Categories;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Compares the values of a column of categories with those of a condition: as numbers where all of
 * the column are, else as texts.
 */
final class ValueMatcher {
  /** Whether a value of the column satisfies a term. */
  @FunctionalInterface
  interface Test {
    boolean accepts(String value);
  }

  private final Categories column;
  private final List<String> known;
  private final Map<String, BigDecimal> numbers = new HashMap<>(); // of all values, or none

  ValueMatcher(Categories column) {
    this.column = column;
    known =
        Stream.concat(column.values().values().stream(), column.rare().values().stream()).toList();
    for (String value : known) {
      BigDecimal number = Decimal.parse(value);
      if (number == null) {
        numbers.clear();
        break;
      }
      numbers.put(value, number);
    }
  }

  /**
   * The test of a term.
   *
   * @throws IllegalArgumentException if it has a value that the column never had
   */
  Test test(Term term) {
    Test test = term instanceof Term.Among among ? among(among) : range((Term.Range) term);
    return value -> test.accepts(value) != term.negated();
  }

  private Test among(Term.Among term) {
    Set<String> texts = new HashSet<>(term.values());
    if (numbers.isEmpty()) {
      requireKnown(term, texts, new HashSet<>(known));
      return texts::contains;
    }
    Set<BigDecimal> wanted = new TreeSet<>(); // which finds 1.0 where 1 is
    Set<BigDecimal> seen = new TreeSet<>(numbers.values());
    for (String text : term.values()) {
      BigDecimal number = Decimal.parse(text);
      if (number == null || !seen.contains(number)) {
        throw unknown(term, text);
      }
      wanted.add(number);
    }
    return value -> wanted.contains(numbers.get(value));
  }

  private void requireKnown(Term term, Collection<String> wanted, Set<String> there) {
    wanted.stream()
        .filter(text -> !there.contains(text))
        .findFirst()
        .ifPresent(
            text -> {
              throw unknown(term, text);
            });
  }

  private IllegalArgumentException unknown(Term term, String value) {
    return mistake(
        term.at(),
        column.missing().values().contains(value)
            ? missingValue(column, value)
            : "column %s never had %s%s"
                .formatted(
                    Quotes.quoted(column.name()),
                    Quotes.quoted(value),
                    known.isEmpty() ? "" : "; near: " + Suggestions.of(value, known)));
  }

  /** Says how to ask for a missing value. */
  static String missingValue(TableColumn column, String value) {
    return "in column %s, %s stands for a missing value: say IS NULL"
        .formatted(Quotes.quoted(column.name()), Quotes.quoted(value));
  }

  private Test range(Term.Range term) {
    if (numbers.isEmpty()) {
      Stream.of(term.min(), term.max())
          .filter(bound -> !term.quoted() && bound != null && Decimal.parse(bound) != null)
          .findFirst()
          .ifPresent(
              bound -> {
                throw mistake(
                    term.at(),
                    "column %s holds texts, such as %s, which are not above or below the number %s"
                        .formatted(
                            Quotes.quoted(column.name()),
                            Suggestions.of(bound, known),
                            Quotes.quoted(bound)));
              });
      return value -> inside(value, term.min(), term.max(), term.open());
    }
    BigDecimal min = bound(term, term.min());
    BigDecimal max = bound(term, term.max());
    return value -> inside(numbers.get(value), min, max, term.open());
  }

  private BigDecimal bound(Term term, String text) {
    if (text == null) {
      return null;
    }
    BigDecimal number = Decimal.parse(text);
    if (number == null) {
      throw mistake(
          term.at(),
          "column %s holds numbers, but %s is none"
              .formatted(Quotes.quoted(column.name()), Quotes.quoted(text)));
    }
    return number;
  }

  private static <T extends Comparable<T>> boolean inside(T value, T min, T max, boolean open) {
    int least = open ? 1 : 0;
    return (min == null || value.compareTo(min) >= least)
        && (max == null || max.compareTo(value) >= least);
  }
}
