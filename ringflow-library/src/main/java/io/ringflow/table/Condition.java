package io.ringflow.table;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What rows of a table must satisfy: a conjunction of conditions on columns, in the form of SQL's
 * WHERE.
 *
 * <pre>{@code
 * Condition.parse("city = 'Rome' AND age BETWEEN 30 AND 40 AND plan IN ('a', 'b')")
 * }</pre>
 *
 * <ul>
 *   <li>{@code =}, {@code !=} or {@code <>}, {@code <}, {@code <=}, {@code >}, {@code >=}, {@code
 *       [NOT] IN (…)}, {@code [NOT] BETWEEN … AND …}, {@code IS [NOT] NULL} or {@code MISSING},
 *       {@code NOT} before one of them, {@code AND}, parentheses; keywords in any case. There is no
 *       OR. Several conditions on one column must all hold.
 *   <li>A column is named as it stands or in double quotes, a value in quotes or none: {@code city
 *       = Rome}. A quote inside quotes is doubled.
 *   <li>A missing value satisfies {@code IS NULL} alone: neither {@code city = 'Rome'} nor {@code
 *       city != 'Rome'}.
 *   <li>In a column whose values are all numbers, numbers are compared: {@code = 1} means {@code
 *       1.0} too. In others texts are compared, by the order of their characters.
 * </ul>
 *
 * <p>Whether columns and values exist is known once a model is asked. Immutable.
 */
public final class Condition {
  /** What every row satisfies. */
  public static final Condition ALWAYS = new Condition("", List.of());

  private final String text;
  private final List<Term> terms;

  private Condition(String text, List<Term> terms) {
    this.text = text;
    this.terms = List.copyOf(terms);
  }

  /**
   * Reads a condition.
   *
   * @throws IllegalArgumentException if it is none; the message says where, and what was expected
   */
  public static Condition parse(String text) {
    return new Condition(Objects.requireNonNull(text, "text").strip(), ConditionParser.parse(text));
  }

  /** What satisfies both conditions. */
  public Condition and(Condition other) {
    String both =
        text.isEmpty() || other.text.isEmpty() ? text + other.text : text + " AND " + other.text;
    return new Condition(both, Stream.concat(terms.stream(), other.terms.stream()).toList());
  }

  List<Term> terms() {
    return terms;
  }

  /** As it was written; empty for {@link #ALWAYS}. */
  @Override
  public String toString() {
    return text;
  }
}
