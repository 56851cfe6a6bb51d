package io.ringflow.infer;

import io.ringflow.infer.BifReader.Node;
import io.ringflow.infer.Tokens.Token;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reads the braces of a probability block: a {@code table} of everything, or a row for each
 * combination of the parents' states, with a {@code default} for the combinations left out.
 */
final class BifTable {
  /** Of a sum from 1: three thirds written with three digits, and the rounding of the sum. */
  private static final double MAX_DEVIATION = 1e-3 + 1e-9;

  private static final int DEFAULT = -1; // in place of a row

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(int index, double[] logValues) {}

  private final Tokens tokens;
  private final FileLimits limits;
  private final Token at;
  private final Node child;
  private final int symbols;
  private final int rowCount;
  private final List<Row> rows = new ArrayList<>();
  private final BitSet seen = new BitSet();
  private double[] table; // null if there is none
  private double[] otherwise; // the default, null if there is none
  private Token otherwiseAt;

  BifTable(Tokens tokens, FileLimits limits, Token at, Node child) throws IOException {
    this.tokens = tokens;
    this.limits = limits;
    this.at = at;
    this.child = child;
    this.symbols = child.cardinality();
    this.rowCount =
        limits.addTable(
                at,
                Stream.concat(child.parents.stream(), Stream.of(child))
                    .map(Node::cardinality)
                    .toList())
            / symbols;
  }

  Factor read() throws IOException {
    tokens.expectSign("{");
    for (Token token = tokens.next(); !token.isSign("}"); token = tokens.next()) {
      if (token.isWord("property")) {
        tokens.skipPast(';', "the property");
      } else if (token.isWord("table")) {
        readTable(token);
      } else if (token.isWord("default")) {
        readDefault(token);
      } else if (token.isSign("(")) {
        readRow(token);
      } else {
        throw tokens.error(
            token, "expected '(', 'table', 'default', 'property' or '}', but found " + token);
      }
    }
    return new Factor(
        Stream.concat(child.parents.stream(), Stream.of(child)).map(node -> node.position).toList(),
        table == null ? assembled() : table);
  }

  /**
   * The format lists the child's first state for all parents, the last parent fastest, and so on.
   */
  private void readTable(Token start) throws IOException {
    requireAlone(start, table != null || otherwise != null || !rows.isEmpty());
    double[] listed = values(rowCount * symbols);
    table = new double[listed.length];
    for (int row = 0; row < rowCount; row++) {
      double[] values = new double[symbols];
      for (int symbol = 0; symbol < symbols; symbol++) {
        values[symbol] = listed[symbol * rowCount + row];
      }
      System.arraycopy(logs(start, values, row), 0, table, row * symbols, symbols);
    }
  }

  private void readDefault(Token start) throws IOException {
    requireAlone(start, table != null || otherwise != null);
    otherwise = logs(start, values(symbols), DEFAULT);
    otherwiseAt = start;
  }

  private void requireAlone(Token start, boolean crowded) throws IOException {
    if (crowded) {
      throw tokens.error(
          start,
          String.format(
              "%s beside other probabilities of %s: there must be one table, or rows and at most"
                  + " one default",
              start, child));
    }
  }

  private void readRow(Token start) throws IOException {
    requireAlone(start, table != null);
    int index = 0;
    for (int i = 0; i < child.parents.size(); i++) {
      Node parent = child.parents.get(i);
      if (i > 0) {
        tokens.skipComma();
      }
      Token state = tokens.name("a state of " + parent);
      Integer symbol = parent.symbols.get(state.text());
      if (symbol == null) {
        throw tokens.error(state, parent.variable.unknown(state.text()));
      }
      index = index * parent.cardinality() + symbol;
    }
    tokens.expectSign(")");
    if (seen.get(index)) {
      throw tokens.error(start, "the row" + given(index) + " of " + child + " is there twice");
    }
    seen.set(index);
    rows.add(new Row(index, logs(start, values(symbols), index)));
  }

  private double[] values(int count) throws IOException {
    String what = "the probabilities of " + child;
    double[] values = tokens.nonNegatives(count, what);
    Token end = tokens.next();
    if (!end.isSign(";")) {
      throw tokens.error(
          end, "expected ';' after " + what + ", which are " + count + ", but found " + end);
    }
    return values;
  }

  private double[] logs(Token start, double[] values, int row) throws IOException {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    if (!(Math.abs(sum - 1) <= MAX_DEVIATION)) {
      throw tokens.error(
          start,
          String.format(
              Locale.ROOT,
              "the probabilities of %s%s must sum to 1, but sum to %.6g",
              child,
              row == DEFAULT ? " by default" : given(row),
              sum));
    }
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.log(values[i] / sum);
    }
    return values;
  }

  private double[] assembled() throws IOException {
    if (otherwise == null && rows.size() < rowCount) {
      throw tokens.error(
          at,
          rows.isEmpty()
              ? "the probabilities of " + child + " are missing"
              : "the row" + given(seen.nextClearBit(0)) + " of " + child + " is missing");
    }
    if (otherwise != null) {
      limits.addDefaults(otherwiseAt, (long) (rowCount - rows.size()) * symbols);
    }
    double[] result = new double[rowCount * symbols];
    if (otherwise != null) {
      for (int row = 0; row < rowCount; row++) {
        System.arraycopy(otherwise, 0, result, row * symbols, symbols);
      }
    }
    for (Row row : rows) {
      System.arraycopy(row.logValues(), 0, result, row.index() * symbols, symbols);
    }
    return result;
  }

  /** Such as {@code given (yes, no)}; empty without parents. */
  private String given(int row) {
    if (child.parents.isEmpty()) {
      return "";
    }
    int[] states = new int[child.parents.size()];
    int rest = row;
    for (int i = states.length - 1; i >= 0; i--) {
      int cardinality = child.parents.get(i).cardinality();
      states[i] = rest % cardinality;
      rest /= cardinality;
    }
    return IntStream.range(0, states.length)
        .mapToObj(i -> child.parents.get(i).variable.states().get(states[i]))
        .collect(Collectors.joining(", ", " given (", ")"));
  }
}
