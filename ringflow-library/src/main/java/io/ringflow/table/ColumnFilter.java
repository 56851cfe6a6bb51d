package io.ringflow.table;

import static io.ringflow.table.ConditionTokens.mistake;

import io.ringflow.internal.checks.Quotes;
import io.ringflow.table.TableColumn.Bins;
import io.ringflow.table.TableColumn.Categories;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What conditions leave of one column: the share of each symbol's values that satisfy all of them.
 *
 * <p>A share is that of what the symbol would be decoded to: of rare values by their counts, of
 * numbers as likely as they are {@linkplain BinGrid in their bin}.
 */
final class ColumnFilter {
  private final TableColumn column;
  private final double[] shares;
  private final ColumnDecoder decoder;
  private final ColumnDecoder.SharedSymbol rare; // those that are left
  private final List<NumberSet> numbers; // those that are left of each bin

  private ColumnFilter(
      TableColumn column, double[] shares, ValueCounts rare, List<NumberSet> numbers) {
    this.column = column;
    this.shares = shares;
    this.decoder = new ColumnDecoder(column);
    this.rare = new ColumnDecoder.SharedSymbol(rare);
    this.numbers = numbers;
  }

  /**
   * The filter of some conditions on a column.
   *
   * @param terms of this column, at least one
   * @throws IllegalArgumentException if a value is none of the column's; the message suggests some
   */
  static ColumnFilter of(TableColumn column, List<Term> terms) {
    ColumnFilter filter =
        column instanceof Bins bins ? ofBins(bins, terms) : of((Categories) column, terms);
    int missing = column.missingSymbol();
    if (missing >= 0) {
      filter.shares[missing] =
          terms.stream().allMatch(term -> term instanceof Term.Missing && !term.negated()) ? 1 : 0;
    }
    return filter;
  }

  private static boolean excludesPresent(List<Term> terms) {
    return terms.stream().anyMatch(term -> term instanceof Term.Missing && !term.negated());
  }

  private static ColumnFilter of(Categories column, List<Term> terms) {
    var matcher = new ValueMatcher(column);
    List<ValueMatcher.Test> tests = new ArrayList<>();
    for (Term term : terms) {
      if (!(term instanceof Term.Missing)) {
        tests.add(matcher.test(term));
      }
    }
    boolean none = excludesPresent(terms);
    double[] shares = new double[column.cardinality()];
    for (int symbol = 0; symbol < column.values().size(); symbol++) {
      String value = column.values().values().get(symbol);
      shares[symbol] = !none && tests.stream().allMatch(test -> test.accepts(value)) ? 1 : 0;
    }
    ValueCounts left =
        none
            ? ValueCounts.NONE
            : column.rare().filter(value -> tests.stream().allMatch(test -> test.accepts(value)));
    if (column.rareSymbol() >= 0) {
      shares[column.rareSymbol()] = left.total() / (double) column.rare().total();
    }
    return new ColumnFilter(column, shares, left, List.of());
  }

  private static ColumnFilter ofBins(Bins column, List<Term> terms) {
    List<BinGrid> grids = column.bins().stream().map(bin -> new BinGrid(column, bin)).toList();
    BigInteger min = grids.get(0).first();
    BigInteger max = grids.get(grids.size() - 1).last();
    NumberSet left = excludesPresent(terms) ? NumberSet.of(max, min) : NumberSet.of(min, max);
    for (Term term : terms) {
      if (!(term instanceof Term.Missing)) {
        NumberSet said = numbers(column, term, min, max);
        left = left.and(term.negated() ? said.complement(min, max) : said);
      }
    }
    double[] shares = new double[column.cardinality()];
    List<NumberSet> ofBins = new ArrayList<>();
    for (int symbol = 0; symbol < grids.size(); symbol++) {
      BinGrid grid = grids.get(symbol);
      NumberSet own = left.and(NumberSet.of(grid.first(), grid.last()));
      ofBins.add(own);
      shares[symbol] = grid.share(own);
    }
    return new ColumnFilter(column, shares, ValueCounts.NONE, ofBins);
  }

  /** What a term says of numbers, without its negation. */
  private static NumberSet numbers(Bins column, Term term, BigInteger min, BigInteger max) {
    int decimals = column.maxDecimals();
    if (term instanceof Term.Among among) {
      return NumberSet.of(
          among.values().stream().map(value -> number(column, term, value)).toList(), decimals);
    }
    Term.Range range = (Term.Range) term;
    BigInteger first = min;
    BigInteger last = max;
    if (range.min() != null) {
      BigDecimal bound = number(column, term, range.min());
      first =
          range.open()
              ? units(bound, decimals, RoundingMode.FLOOR).add(BigInteger.ONE)
              : units(bound, decimals, RoundingMode.CEILING);
    }
    if (range.max() != null) {
      BigDecimal bound = number(column, term, range.max());
      last =
          range.open()
              ? units(bound, decimals, RoundingMode.CEILING).subtract(BigInteger.ONE)
              : units(bound, decimals, RoundingMode.FLOOR);
    }
    return NumberSet.of(first, last);
  }

  private static BigInteger units(BigDecimal number, int decimals, RoundingMode rounding) {
    return number.setScale(decimals, rounding).unscaledValue();
  }

  private static BigDecimal number(Bins column, Term term, String value) {
    BigDecimal number = Decimal.parse(value);
    if (number == null) {
      throw mistake(
          term.at(),
          column.missing().values().contains(value)
              ? ValueMatcher.missingValue(column, value)
              : "column %s holds the numbers %s, but %s is none"
                  .formatted(Quotes.quoted(column.name()), column.range(), Quotes.quoted(value)));
    }
    return number;
  }

  /** For each symbol the share of its values that is left, 0 to 1. */
  double[] shares() {
    return shares.clone();
  }

  /** A value of a symbol that satisfies the conditions; the symbol's share is above 0. */
  String decode(int symbol, SplittableRandom random) {
    if (symbol < numbers.size()) {
      return decoder.number(symbol, numbers.get(symbol), random);
    }
    boolean isRare = column instanceof Categories all && symbol == all.rareSymbol();
    return isRare ? rare.sample(random) : decoder.decode(symbol, random);
  }
}
