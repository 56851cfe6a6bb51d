package io.ringflow.table;

import io.ringflow.table.TableColumn.Categories;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How likely a value of a column is one that training never saw, by the counts of those it saw once
 * and twice.
 *
 * <ul>
 *   <li>Where values share a symbol because they are rare, a new one is one more of them. Each seen
 *       one's count is lowered by Ney's discount {@code n1 / (n1 + 2 n2)}, which agrees with Good
 *       and Turing, and the new ones share what that leaves.
 *   <li>Elsewhere a value is new with Good and Turing's probability {@code n1 / N}, whatever is in
 *       the other columns. A new number stands by the nearest of training's, and what is no number
 *       by missing ones; where none was missing, new numbers and others are as likely.
 * </ul>
 *
 * <p>Half a row is added to counts, so that nothing is certain.
 */
final class NewValueShares {
  /** Says that no symbol stands for a new value: all are possible. */
  static final int ANY = -1;

  private final TableColumn column;
  private final Map<String, Integer> rare = new HashMap<>();
  private final double discount;
  private final double share; // of new values: among the rare ones, or of all rows
  private final double ofKind; // the part of it for numbers, or for what is none
  private final BigDecimal[] numbers; // of the symbols, where all are; else empty

  NewValueShares(TableColumn column) {
    this.column = column;
    double once = 0;
    double twice = 0;
    BigDecimal[] parsed = {};
    if (column instanceof Categories categories) {
      for (ValueCounts counts : List.of(categories.values(), categories.rare())) {
        once += counts.counts().stream().filter(count -> count == 1).count();
        twice += counts.counts().stream().filter(count -> count == 2).count();
      }
      for (int i = 0; i < categories.rare().size(); i++) {
        rare.put(categories.rare().values().get(i), categories.rare().counts().get(i));
      }
      parsed = categories.values().values().stream().map(Decimal::parse).toArray(BigDecimal[]::new);
    }
    discount = (once + 0.5) / (once + 2 * twice + 1);
    share =
        rare.isEmpty()
            ? (once + 0.5) / (column.rows() + 1.0)
            : discount * rare.size() / rare.values().stream().mapToLong(count -> count).sum();
    boolean allNumbers = rare.isEmpty() && Stream.of(parsed).allMatch(number -> number != null);
    numbers = allNumbers ? parsed : new BigDecimal[0];
    boolean twoKinds = numbers.length > 0 && column.missingSymbol() < 0;
    ofKind = twoKinds ? share / 2 : share;
  }

  /**
   * What is added to the log-probability of a value that was seen, since it might have been new.
   */
  double logSeen(String cell) {
    if (rare.isEmpty()) {
      return Math.log1p(-share);
    }
    Integer count = rare.get(cell);
    return count == null ? 0 : Math.log1p(-discount / count);
  }

  /** The log-probability of a new value, given the {@link #symbol} that stands for it. */
  double logNew() {
    return Math.log(ofKind);
  }

  /** The symbol that stands for a new value, or {@link #ANY}. */
  int symbol(String cell) {
    if (!rare.isEmpty()) {
      return ((Categories) column).rareSymbol();
    }
    if (numbers.length == 0) {
      return ANY;
    }
    BigDecimal number = Decimal.parse(cell);
    if (number == null) {
      return column.missingSymbol() >= 0 ? column.missingSymbol() : ANY;
    }
    int nearest = 0;
    for (int symbol = 1; symbol < numbers.length; symbol++) {
      int closer = distance(number, symbol).compareTo(distance(number, nearest));
      if (closer < 0 || (closer == 0 && numbers[symbol].compareTo(numbers[nearest]) < 0)) {
        nearest = symbol;
      }
    }
    return nearest;
  }

  private BigDecimal distance(BigDecimal number, int symbol) {
    return number.subtract(numbers[symbol]).abs();
  }
}
