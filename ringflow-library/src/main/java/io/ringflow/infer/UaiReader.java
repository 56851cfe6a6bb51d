package io.ringflow.infer;

import io.ringflow.infer.Tokens.Kind;
import io.ringflow.infer.Tokens.Token;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the format of the UAI competitions: the number of variables and of each one's states, the
 * variables of each factor, then each factor's values, the last variable changing fastest.
 *
 * <p>Bayesian networks list the child as a factor's last variable, which makes no difference here.
 */
final class UaiReader {
  private final Tokens tokens;
  private final List<Integer> cardinalities = new ArrayList<>();
  private final List<List<Integer>> scopes = new ArrayList<>();
  private final List<Integer> sizes = new ArrayList<>();

  private UaiReader(Tokens tokens) {
    this.tokens = tokens;
  }

  static FactorGraph read(Path file) throws IOException {
    try (Tokens tokens = new Tokens(file, "")) {
      return new UaiReader(tokens).graph();
    }
  }

  private FactorGraph graph() throws IOException {
    Token type = tokens.next();
    if (!type.isWord("MARKOV") && !type.isWord("BAYES")) {
      throw tokens.error(type, "expected MARKOV or BAYES, but found " + type);
    }
    readCardinalities();
    readScopes();
    List<Factor> factors = new ArrayList<>();
    for (int f = 0; f < scopes.size(); f++) {
      factors.add(new Factor(scopes.get(f), logValues(f)));
    }
    requireEnd("after the last table");
    return new FactorGraph(Variable.numbered(cardinalities), factors);
  }

  private void readCardinalities() throws IOException {
    int variables = tokens.integer("the number of variables", 1, FileLimits.MAX_STATES);
    var limits = new FileLimits(tokens);
    for (int i = 0; i < variables; i++) {
      Token at = tokens.peek();
      int states = tokens.integer("the number of states of x" + i, 1, FileLimits.MAX_STATES);
      limits.addStates(at, states);
      cardinalities.add(states);
    }
  }

  private void readScopes() throws IOException {
    int factors = tokens.integer("the number of factors", 0, FileLimits.MAX_ENTRIES);
    var limits = new FileLimits(tokens);
    for (int f = 0; f < factors; f++) {
      Token at = tokens.peek();
      String of = " of factor " + f;
      int count = tokens.integer("the number of variables" + of, 0, cardinalities.size());
      List<Integer> scope = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        scope.add(tokens.integer("a variable" + of, 0, cardinalities.size() - 1));
      }
      if (scope.stream().distinct().count() < count) {
        throw tokens.error(at, "factor " + f + " names a variable twice");
      }
      sizes.add(limits.addTable(at, scope.stream().map(cardinalities::get).toList()));
      scopes.add(List.copyOf(scope));
    }
  }

  private double[] logValues(int f) throws IOException {
    Token at = tokens.peek();
    int size = sizes.get(f);
    int count = tokens.integer("the number of values of factor " + f, 0, Integer.MAX_VALUE);
    if (count != size) {
      throw tokens.error(
          at,
          String.format(
              "factor %d has %d values, but its variables have %d combinations", f, count, size));
    }
    double[] values = tokens.nonNegatives(size, "the values of factor " + f);
    Arrays.setAll(values, i -> Math.log(values[i]));
    return values;
  }

  private void requireEnd(String where) throws IOException {
    Token end = tokens.next();
    if (end.kind() != Kind.END) {
      throw tokens.error(end, "expected the end of the file " + where + ", but found " + end);
    }
  }

  static Map<String, String> readEvidence(Path file) throws IOException {
    try (Tokens tokens = new Tokens(file, "")) {
      return new UaiReader(tokens).evidence();
    }
  }

  /**
   * The number of integers tells whether the number of samples comes first: only then is it even.
   */
  private Map<String, String> evidence() throws IOException {
    List<Token> at = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    do {
      at.add(tokens.peek());
      numbers.add(tokens.integer("an integer", 0, FileLimits.MAX_STATES));
      if (numbers.size() > 2 * FileLimits.MAX_STATES + 2) {
        throw tokens.error(
            at.get(at.size() - 1), "more than " + FileLimits.MAX_STATES + " variables");
      }
    } while (tokens.peek().kind() != Kind.END);
    int first = numbers.size() % 2 == 0 ? 1 : 0;
    if (first == 1 && numbers.get(0) != 1) {
      throw tokens.error(
          at.get(0),
          String.format(
              "expected the number of variables and two integers for each, or that after 1 for one"
                  + " sample, but found %d integers of which the first is %d",
              numbers.size(), numbers.get(0)));
    }
    int count = (numbers.size() - first - 1) / 2;
    if (numbers.get(first) != count) {
      throw tokens.error(
          at.get(first),
          String.format(
              "says evidence of %d variables, but there is that of %d", numbers.get(first), count));
    }
    Map<String, String> evidence = new LinkedHashMap<>();
    for (int i = first + 1; i < numbers.size(); i += 2) {
      if (evidence.putIfAbsent("x" + numbers.get(i), "" + numbers.get(i + 1)) != null) {
        throw tokens.error(at.get(i), "evidence of x" + numbers.get(i) + " is there twice");
      }
    }
    return evidence;
  }
}
