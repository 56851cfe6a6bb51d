package io.ringflow.infer;

import io.ringflow.core.DataFormatException;
import io.ringflow.infer.Tokens.Kind;
import io.ringflow.infer.Tokens.Token;
import io.ringflow.internal.checks.Quotes;
import io.ringflow.internal.checks.Suggestions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads a Bayesian network in the Bayesian networks' interchange format, version 0.15.
 *
 * <pre>
 *   network name { }
 *   variable rain { type discrete [ 2 ] { yes, no }; }
 *   variable wet { type discrete [ 2 ] { yes, no }; }
 *   probability ( rain ) { table 0.2, 0.8; }
 *   probability ( wet | rain ) { (yes) 0.9, 0.1; (no) 0.0, 1.0; }
 * </pre>
 *
 * <p>The format lets commas be left out, and the bar before the parents. Properties are skipped.
 * Each probability block becomes a factor of the parents and then the child.
 */
final class BifReader {
  /** A variable as declared, and its block of probabilities once that was read. */
  static final class Node {
    final Token at;
    final Variable variable;
    final int position;
    final Map<String, Integer> symbols = new HashMap<>();
    Token blockAt;
    List<Node> parents = List.of();

    Node(Token at, Variable variable, int position) {
      this.at = at;
      this.variable = variable;
      this.position = position;
      for (String state : variable.states()) {
        symbols.put(state, symbols.size());
      }
    }

    int cardinality() {
      return symbols.size();
    }

    /** As messages call it. */
    @Override
    public String toString() {
      return Quotes.quoted(variable.name());
    }
  }

  private final Tokens tokens;
  private final FileLimits limits;
  private final List<Node> nodes = new ArrayList<>();
  private final Map<String, Node> byName = new HashMap<>();
  private final List<Factor> factors = new ArrayList<>();

  private BifReader(Tokens tokens) {
    this.tokens = tokens;
    this.limits = new FileLimits(tokens);
  }

  static FactorGraph read(Path file) throws IOException {
    try (Tokens tokens = new Tokens(file, "{}()[],;|")) {
      return new BifReader(tokens).graph();
    }
  }

  private FactorGraph graph() throws IOException {
    readNetwork();
    for (Token token = tokens.next(); token.kind() != Kind.END; token = tokens.next()) {
      if (token.isWord("variable")) {
        readVariable();
      } else if (token.isWord("probability")) {
        readProbability();
      } else {
        throw tokens.error(token, "expected 'variable' or 'probability', but found " + token);
      }
    }
    requireBlocks();
    requireNoCycle();
    return new FactorGraph(nodes.stream().map(node -> node.variable).toList(), factors);
  }

  private void readNetwork() throws IOException {
    Token token = tokens.next();
    if (!token.isWord("network")) {
      throw tokens.error(token, "expected 'network', but found " + token);
    }
    if (tokens.peek().isName()) {
      tokens.next();
    }
    tokens.expectSign("{");
    for (token = tokens.next(); !token.isSign("}"); token = tokens.next()) {
      if (!token.isWord("property")) {
        throw tokens.error(token, "expected 'property' or '}', but found " + token);
      }
      tokens.skipPast(';', "the property");
    }
  }

  private void readVariable() throws IOException {
    Token name = tokens.name("the name of a variable");
    Node earlier = byName.get(name.text());
    if (earlier != null) {
      throw tokens.error(
          name, "variable " + earlier + " is there twice, first in line " + earlier.at.line());
    }
    List<String> states = List.of();
    tokens.expectSign("{");
    for (Token token = tokens.next(); !token.isSign("}"); token = tokens.next()) {
      if (token.isWord("property")) {
        tokens.skipPast(';', "the property");
      } else if (token.isWord("type") && states.isEmpty()) {
        states = states(name);
      } else {
        String type = states.isEmpty() ? "'type', " : "";
        throw tokens.error(token, "expected " + type + "'property' or '}', but found " + token);
      }
    }
    if (states.isEmpty()) {
      throw tokens.error(name, "variable " + name + " has no type");
    }
    Node node = new Node(name, new Variable(name.text(), states), nodes.size());
    nodes.add(node);
    byName.put(name.text(), node);
  }

  private List<String> states(Token variable) throws IOException {
    Token type = tokens.next();
    if (!type.isWord("discrete")) {
      throw tokens.error(
          type, "the type of " + variable + " must be 'discrete', but found " + type);
    }
    tokens.expectSign("[");
    int count = tokens.integer("the number of states of " + variable, 1, FileLimits.MAX_STATES);
    tokens.expectSign("]");
    tokens.expectSign("{");
    Set<String> states = new LinkedHashSet<>();
    while (states.isEmpty() || !tokens.peek().isSign("}")) {
      if (!states.isEmpty()) {
        tokens.skipComma();
      }
      Token state = tokens.name("a state of " + variable);
      if (!states.add(state.text())) {
        throw tokens.error(state, "variable " + variable + " has state " + state + " twice");
      }
      limits.addStates(state, 1);
    }
    Token end = tokens.next();
    if (states.size() != count) {
      throw tokens.error(
          end,
          String.format(
              "variable %s must have %d states, but has %d", variable, count, states.size()));
    }
    tokens.expectSign(";");
    return List.copyOf(states);
  }

  private void readProbability() throws IOException {
    tokens.expectSign("(");
    Token at = tokens.peek();
    Node child = variable();
    if (child.blockAt != null) {
      throw tokens.error(
          at,
          String.format(
              "the probabilities of %s are there twice, first in line %d",
              child, child.blockAt.line()));
    }
    Set<Node> parents = new LinkedHashSet<>();
    while (!tokens.peek().isSign(")")) {
      if (parents.isEmpty() && tokens.peek().isSign("|")) {
        tokens.next();
      } else {
        tokens.skipComma();
      }
      Token parentAt = tokens.peek();
      Node parent = variable();
      if (parent == child) {
        throw tokens.error(parentAt, "variable " + parent + " is its own parent");
      }
      if (!parents.add(parent)) {
        throw tokens.error(parentAt, "parent " + parent + " of " + child + " is there twice");
      }
    }
    tokens.next();
    child.blockAt = at;
    child.parents = List.copyOf(parents);
    factors.add(new BifTable(tokens, limits, at, child).read());
  }

  private Node variable() throws IOException {
    Token name = tokens.name("the name of a variable");
    Node node = byName.get(name.text());
    if (node == null) {
      throw tokens.error(name, Suggestions.missing("variable", name.text(), byName.keySet()));
    }
    return node;
  }

  private void requireBlocks() throws IOException {
    if (nodes.isEmpty()) {
      throw tokens.error(tokens.peek(), "expected a variable, but found the end of the file");
    }
    for (Node node : nodes) {
      if (node.blockAt == null) {
        throw tokens.error(node.at, "variable " + node + " has no probabilities");
      }
    }
  }

  /** Removes variables without parents, again and again; what stays leads to a cycle. */
  private void requireNoCycle() throws IOException {
    Map<Node, Integer> waiting = new HashMap<>(); // parents that are still there
    Map<Node, List<Node>> children = new HashMap<>();
    var free = new ArrayDeque<Node>();
    for (Node node : nodes) {
      waiting.put(node, node.parents.size());
      node.parents.forEach(
          parent -> children.computeIfAbsent(parent, key -> new ArrayList<>()).add(node));
      if (node.parents.isEmpty()) {
        free.add(node);
      }
    }
    while (!free.isEmpty()) {
      Node gone = free.remove();
      waiting.remove(gone);
      for (Node child : children.getOrDefault(gone, List.of())) {
        if (waiting.merge(child, -1, Integer::sum) == 0) {
          free.add(child);
        }
      }
    }
    for (Node node : nodes) {
      if (waiting.containsKey(node)) {
        throw cycle(node, waiting);
      }
    }
  }

  private DataFormatException cycle(Node start, Map<Node, Integer> waiting) {
    List<Node> way = new ArrayList<>();
    Map<Node, Integer> seen = new HashMap<>();
    Node node = start;
    while (seen.putIfAbsent(node, way.size()) == null) {
      way.add(node);
      node = node.parents.stream().filter(waiting::containsKey).findFirst().orElseThrow();
    }
    List<Node> cycle = new ArrayList<>(way.subList(seen.get(node), way.size()));
    cycle.add(node);
    return tokens.error(
        node.blockAt,
        "the parents form a cycle: "
            + cycle.stream().map(Node::toString).collect(Collectors.joining(" depends on ")));
  }
}
