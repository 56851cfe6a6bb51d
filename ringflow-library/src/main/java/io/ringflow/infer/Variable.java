package io.ringflow.infer;

import io.ringflow.internal.checks.Quotes;
import io.ringflow.internal.checks.Suggestions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What a position of a graph is called, and each of its symbols.
 *
 * @param name of the position
 * @param states the symbols' names in their order, at least one, each once
 */
public record Variable(String name, List<String> states) {
  /** Copies the states, and checks that no name is blank and no state occurs twice. */
  public Variable {
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a variable is blank");
    }
    states = List.copyOf(states);
    if (states.isEmpty()) {
      throw new IllegalArgumentException(
          "variable " + Quotes.quoted(name) + " must have at least 1 state, but has none");
    }
    Set<String> seen = new HashSet<>();
    for (String state : states) {
      if (state.isBlank()) {
        throw new IllegalArgumentException(
            "a state of variable " + Quotes.quoted(name) + " is blank");
      }
      if (!seen.add(state)) {
        throw new IllegalArgumentException(
            "variable " + Quotes.quoted(name) + " has state " + Quotes.quoted(state) + " twice");
      }
    }
  }

  /** Variables without names of their own: x0, x1, … with the states 0, 1, …. */
  static List<Variable> numbered(List<Integer> cardinalities) {
    Map<Integer, List<String>> states = new HashMap<>(); // shared: a lattice has many alike
    return IntStream.range(0, cardinalities.size())
        .mapToObj(
            position ->
                new Variable(
                    "x" + position,
                    states.computeIfAbsent(
                        cardinalities.get(position),
                        count -> IntStream.range(0, count).mapToObj(String::valueOf).toList())))
        .toList();
  }

  /**
   * The symbol of a state.
   *
   * @throws IllegalArgumentException with the nearest states if there is no such one
   */
  public int symbol(String state) {
    int symbol = states.indexOf(state);
    if (symbol < 0) {
      throw new IllegalArgumentException(unknown(state));
    }
    return symbol;
  }

  /** Says that there is no such state, with the nearest ones. */
  String unknown(String state) {
    return String.format(
        "variable %s has no state %s; near: %s",
        Quotes.quoted(name), Quotes.quoted(state), Suggestions.of(state, states));
  }
}
