package io.ringflow.cli.command;

import io.ringflow.infer.FactorGraph;
import io.ringflow.infer.Variable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A graph beside what is known of it: people read and write states of all variables, but only the
 * unknown ones are inferred.
 *
 * @param all the graph with all variables
 * @param known states by the names of their variables: the evidence, and those that are the only
 *     one of their variable
 * @param unknown the graph of the other variables
 */
record GivenGraph(FactorGraph all, Map<String, String> known, FactorGraph unknown) {
  static GivenGraph of(FactorGraph graph, Map<String, String> evidence) {
    Map<String, String> known = new LinkedHashMap<>(evidence);
    for (Variable variable : graph.variables()) {
      if (variable.states().size() == 1) {
        known.putIfAbsent(variable.name(), variable.states().get(0));
      }
    }
    return new GivenGraph(graph, known, graph.given(known));
  }

  /** The states of all variables, in their order, where the unknown ones are those of a row. */
  List<String> states(int[] row) {
    List<String> states = new ArrayList<>();
    int next = 0;
    for (Variable variable : all.variables()) {
      String state = known.get(variable.name());
      states.add(state == null ? variable.states().get(row[next++]) : state);
    }
    return states;
  }
}
