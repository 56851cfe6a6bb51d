package io.ringflow.cli.command;

import io.ringflow.infer.FactorGraph;
import io.ringflow.infer.Variable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** The options that say which variables of a graph are known. */
final class EvidenceOptions {
  @Option(
      names = "--evidence",
      paramLabel = "NAME=STATE",
      description = "A variable whose state is known; may be repeated.")
  private List<String> assignments = new ArrayList<>();

  @Option(
      names = "--evidence-file",
      paramLabel = "FILE",
      description =
          "Known states from a .uai.evid file of the UAI competitions. None is read unless named"
              + " here.")
  private Path file;

  /** The states that are known, by the names of variables: the file's first. */
  Map<String, String> resolve(FactorGraph graph, ToolCommand command) throws IOException {
    Map<String, String> evidence = new LinkedHashMap<>();
    if (file != null) {
      evidence.putAll(FactorGraph.readEvidence(file));
      requireKnown(graph, evidence);
    }
    Map<String, Variable> variables = new HashMap<>();
    graph.variables().forEach(variable -> variables.put(variable.name(), variable));
    for (String assignment : assignments) {
      NamedValue read = read(assignment, variables, command);
      if (evidence.put(read.name(), read.value()) != null) {
        throw command.usage("the evidence names the variable " + read.name() + " twice");
      }
    }
    return evidence;
  }

  private void requireKnown(FactorGraph graph, Map<String, String> evidence) {
    try {
      evidence.forEach((name, state) -> graph.variables().get(graph.position(name)).symbol(state));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /** Of several ways to read it the one that names a state; else one that names a variable. */
  private static NamedValue read(
      String assignment, Map<String, Variable> variables, ToolCommand command) {
    List<NamedValue> readings = NamedValue.readings(assignment);
    if (readings.isEmpty()) {
      throw command.usage("--evidence must be NAME=STATE, but is '" + assignment + "'");
    }
    Predicate<NamedValue> named = reading -> variables.containsKey(reading.name());
    return readings.stream()
        .filter(named)
        .filter(reading -> variables.get(reading.name()).states().contains(reading.value()))
        .findFirst()
        .or(() -> readings.stream().filter(named).findFirst())
        .orElse(readings.get(0));
  }
}
