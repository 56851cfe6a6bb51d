package io.ringflow.table;

import java.util.List;

/** A condition on one column, as it was written: nothing is known yet of the column. */
sealed interface Term {
  /** The column's name. */
  String column();

  /** Where it stands in the condition, from 1. */
  int at();

  /** Whether it is what the term says that must not hold. */
  boolean negated();

  /** The opposite, which a missing value satisfies no more than the term itself. */
  Term negate();

  /**
   * One of some values.
   *
   * @param values at least one
   */
  record Among(String column, int at, boolean negated, List<String> values) implements Term {
    public Among {
      values = List.copyOf(values);
    }

    @Override
    public Term negate() {
      return new Among(column, at, !negated, values);
    }
  }

  /**
   * Between two bounds, of which one may be null: there is none.
   *
   * @param min the smallest value
   * @param max the largest one
   * @param open whether the bound itself is left out; of two bounds neither is
   * @param quoted whether all bounds stand in quotes: then numbers are texts, too
   */
  record Range(
      String column, int at, boolean negated, String min, String max, boolean open, boolean quoted)
      implements Term {
    @Override
    public Term negate() {
      return new Range(column, at, !negated, min, max, open, quoted);
    }
  }

  /** No value at all. */
  record Missing(String column, int at, boolean negated) implements Term {
    @Override
    public Term negate() {
      return new Missing(column, at, !negated);
    }
  }
}
