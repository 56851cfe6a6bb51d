package io.ringflow.infer;

import io.ringflow.core.DataFormatException;
import io.ringflow.core.Space;
import io.ringflow.internal.checks.Quotes;
import io.ringflow.internal.checks.Suggestions;
import io.ringflow.internal.engine.FactorTables;
import io.ringflow.internal.store.Sha256;
import io.ringflow.spi.TensorTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A target whose log-weight is a sum of functions of a few positions each: lattices of spins,
 * Bayesian networks, random fields.
 *
 * <pre>
 *   log w(x) = sum over factors f of log f(x at f's positions)
 * </pre>
 *
 * <pre>{@code
 * FactorGraph network = FactorGraph.read(Path.of("asia.bif"));
 * FactorGraph patient = network.given(Map.of("xray", "yes", "dysp", "yes"));
 * }</pre>
 *
 * <p>Cost: a row takes one lookup a factor.
 */
public final class FactorGraph implements Target {
  private static final int FINGERPRINT_DIGITS = 16;

  private final List<Variable> variables;
  private final Map<String, Integer> byName = new HashMap<>();
  private final Space space;
  private final List<Factor> factors;
  private final int[][] positions; // of each factor
  private final int[][] strides; // of each factor's positions in its values
  private FactorTables tables; // null until asked for

  /**
   * A graph whose positions are named x0, x1, …, and their symbols 0, 1, ….
   *
   * @throws IllegalArgumentException if a factor names a position that the space does not have, or
   *     has not as many values as its positions have combinations
   */
  public FactorGraph(Space space, List<Factor> factors) {
    this(Variable.numbered(space.cardinalities()), factors);
  }

  /**
   * A graph with a position for each variable.
   *
   * @throws IllegalArgumentException if two variables have the same name, a factor names a position
   *     that has no variable, or has not as many values as its positions have combinations
   */
  public FactorGraph(List<Variable> variables, List<Factor> factors) {
    this.variables = List.copyOf(variables);
    for (int position = 0; position < variables.size(); position++) {
      String name = variables.get(position).name();
      if (byName.putIfAbsent(name, position) != null) {
        throw new IllegalArgumentException("two variables are named " + Quotes.quoted(name));
      }
    }
    this.space = new Space(variables.stream().map(variable -> variable.states().size()).toList());
    this.factors = List.copyOf(factors);
    this.positions = new int[factors.size()][];
    this.strides = new int[factors.size()][];
    for (int f = 0; f < positions.length; f++) {
      positions[f] = factors.get(f).positions().stream().mapToInt(Integer::intValue).toArray();
      strides[f] = strides(f);
    }
  }

  /**
   * Reads a Bayesian network from a {@code .bif} file, or a network of the UAI competitions from a
   * {@code .uai} file; the name's ending decides.
   *
   * <p>The probabilities of a {@code .bif} file are divided by their sum, which rounding moves away
   * from 1; those of a {@code .uai} file stay what they are. Zero becomes minus infinity. A {@code
   * .uai} file's variables are named x0, x1, …, and their states 0, 1, ….
   *
   * @throws DataFormatException in one line that names file and line, if the file is missing,
   *     damaged or not of the format
   */
  public static FactorGraph read(Path file) throws IOException {
    String name = file.toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".bif")) {
      return BifReader.read(file);
    }
    if (name.endsWith(".uai")) {
      return UaiReader.read(file);
    }
    throw new DataFormatException(file, "must end in .bif or .uai, which tells its format");
  }

  /**
   * Reads the evidence that belongs to a {@code .uai} file: a line such as {@code 2 1 0 7 1}, which
   * sets two variables, x1 to 0 and x7 to 1. The number of samples may come first, but must be 1.
   *
   * @return states by the names of variables, in the file's order, for {@link #given}
   * @throws DataFormatException in one line that names file and line, if the file is missing,
   *     damaged or not of the format
   */
  public static Map<String, String> readEvidence(Path file) throws IOException {
    return UaiReader.readEvidence(file);
  }

  private int[] strides(int f) {
    int[] result = new int[positions[f].length];
    long size = 1;
    for (int i = result.length - 1; i >= 0; i--) {
      int position = positions[f][i];
      if (position < 0 || position >= space.size()) {
        throw new IllegalArgumentException(
            "factor "
                + f
                + " names position "
                + position
                + ", but there are "
                + space.size()
                + " positions");
      }
      result[i] = Math.toIntExact(size);
      size *= space.cardinality(position);
      if (size > factors.get(f).size()) {
        break;
      }
    }
    if (size != factors.get(f).size()) {
      throw new IllegalArgumentException(
          "factor "
              + f
              + " must have a value for each combination of its positions' symbols, but has "
              + factors.get(f).size());
    }
    return result;
  }

  /** The rows it weighs. */
  public Space space() {
    return space;
  }

  /** The names of the positions and their symbols. */
  public List<Variable> variables() {
    return variables;
  }

  /**
   * The position of a variable.
   *
   * @throws IllegalArgumentException with the nearest names if there is no such one
   */
  public int position(String name) {
    Integer position = byName.get(name);
    if (position == null) {
      throw new IllegalArgumentException(Suggestions.missing("variable", name, byName.keySet()));
    }
    return position;
  }

  /** What the log-weight is the sum of. */
  public List<Factor> factors() {
    return factors;
  }

  /**
   * The graph of the other variables, with some set to a state each.
   *
   * <p>A row weighs as much as the row of this graph that it is a part of: log Z of the result is
   * the logarithm of the evidence's weight, which for a Bayesian network is its probability.
   * Factors of which nothing is left become one factor of no positions. Evidence may be impossible;
   * every log-weight of the result is then minus infinity.
   *
   * @param evidence states by the names of variables
   * @throws IllegalArgumentException with the nearest names if a variable or state is unknown
   */
  public FactorGraph given(Map<String, String> evidence) {
    int[] fixed = new int[variables.size()]; // the symbol, or -1
    Arrays.fill(fixed, -1);
    evidence.forEach(
        (name, state) -> {
          int position = position(name);
          fixed[position] = variables.get(position).symbol(state);
        });
    List<Variable> rest = new ArrayList<>();
    int[] moved = new int[fixed.length];
    for (int position = 0; position < fixed.length; position++) {
      if (fixed[position] < 0) {
        moved[position] = rest.size();
        rest.add(variables.get(position));
      }
    }
    List<Factor> sliced = new ArrayList<>();
    boolean anyConstant = false;
    double constant = 0;
    for (int f = 0; f < positions.length; f++) {
      Factor slice = slice(f, fixed, moved);
      if (slice.positions().isEmpty()) {
        anyConstant = true;
        constant += slice.logValue(0);
      } else {
        sliced.add(slice);
      }
    }
    if (anyConstant) {
      sliced.add(new Factor(List.of(), new double[] {constant}));
    }
    return new FactorGraph(rest, sliced);
  }

  private Factor slice(int f, int[] fixed, int[] moved) {
    List<Integer> free = new ArrayList<>();
    List<Integer> freeStrides = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < positions[f].length; i++) {
      int position = positions[f][i];
      if (fixed[position] < 0) {
        free.add(position);
        freeStrides.add(strides[f][i]);
      } else {
        start += strides[f][i] * fixed[position];
      }
    }
    int[] indices = {start};
    for (int i = 0; i < free.size(); i++) { // the last position changes fastest
      int symbols = space.cardinality(free.get(i));
      int stride = freeStrides.get(i);
      int[] before = indices;
      indices = new int[before.length * symbols];
      Arrays.setAll(indices, at -> before[at / symbols] + stride * (at % symbols));
    }
    double[] values = Arrays.stream(indices).mapToDouble(factors.get(f)::logValue).toArray();
    return new Factor(free.stream().map(position -> moved[position]).toList(), values);
  }

  @Override
  public double[] logWeights(int[][] rows) {
    double[] result = new double[rows.length];
    Arrays.setAll(result, i -> logWeight(rows[i]));
    return result;
  }

  private double logWeight(int[] row) {
    double sum = 0;
    for (int f = 0; f < positions.length; f++) {
      int index = 0;
      for (int i = 0; i < positions[f].length; i++) {
        index += strides[f][i] * row[positions[f][i]];
      }
      sum += factors.get(f).logValue(index);
    }
    return sum;
  }

  /**
   * The same weights on tensors, for those who compute with them; a training on a GPU does. Holds
   * plain arrays, and no native memory.
   */
  public TensorTarget onTensors() {
    return tables();
  }

  synchronized FactorTables tables() {
    if (tables == null) {
      tables =
          new FactorTables(
              space.cardinalities().stream().mapToInt(Integer::intValue).toArray(),
              positions,
              strides,
              factors.stream().map(Factor::logValues).toArray(double[][]::new));
    }
    return tables;
  }

  /**
   * Adds what the factors of each position would say of its symbols, the others of a row staying as
   * they are.
   *
   * @param gradient {@code [position, symbol]} one after the other
   * @param from where those of this row begin
   * @param width symbols of a position there
   */
  void addGradient(int[] row, double[] gradient, int from, int width) {
    for (int f = 0; f < positions.length; f++) {
      int index = 0;
      for (int i = 0; i < positions[f].length; i++) {
        index += strides[f][i] * row[positions[f][i]];
      }
      for (int i = 0; i < positions[f].length; i++) {
        int position = positions[f][i];
        int without = index - strides[f][i] * row[position];
        for (int symbol = 0; symbol < space.cardinality(position); symbol++) {
          gradient[from + position * width + symbol] +=
              factors.get(f).logValue(without + strides[f][i] * symbol);
        }
      }
    }
  }

  /**
   * This graph with every impossible combination made merely unlikely, so that a row which violates
   * fewer factors weighs more: to learn from where all rows at hand are impossible.
   *
   * @param penalty nats that a combination loses against the least likely possible one
   */
  FactorGraph softened(double penalty) {
    boolean possible =
        factors.stream()
            .flatMapToDouble(factor -> Arrays.stream(factor.logValues()))
            .allMatch(Double::isFinite);
    if (possible) {
      return this;
    }
    return new FactorGraph(
        space,
        factors.stream()
            .map(
                factor -> {
                  double[] values = factor.logValues();
                  double lowest =
                      Arrays.stream(values).filter(Double::isFinite).min().orElse(0) - penalty;
                  double[] soft = Arrays.stream(values).map(x -> Math.max(x, lowest)).toArray();
                  return new Factor(factor.positions(), soft);
                })
            .toList());
  }

  /** Tells graphs apart that weigh rows differently, in a few words. */
  String description() {
    MessageDigest digest = Sha256.digest();
    digest.update(space.cardinalities().toString().getBytes(StandardCharsets.UTF_8));
    for (Factor factor : factors) {
      digest.update(factor.positions().toString().getBytes(StandardCharsets.UTF_8));
      ByteBuffer values = ByteBuffer.allocate(factor.size() * Double.BYTES);
      values.asDoubleBuffer().put(factor.logValues());
      digest.update(values);
    }
    return "a graph of %d positions and %d factors, SHA-256 %s"
        .formatted(
            space.size(), factors.size(), Sha256.hex(digest).substring(0, FINGERPRINT_DIGITS));
  }

  /**
   * Refuses a graph one of whose factors allows nothing, such as one given impossible evidence.
   *
   * @throws IllegalArgumentException naming the variables of that factor
   */
  void requirePossible() {
    for (Factor factor : factors) {
      double[] values = factor.logValues();
      if (Arrays.stream(values).allMatch(value -> value == Double.NEGATIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "no row is possible: "
                + (factor.positions().isEmpty()
                    ? "the evidence has probability 0"
                    : "a factor of "
                        + factor.positions().stream()
                            .map(position -> variables.get(position).name())
                            .collect(Collectors.joining(", "))
                        + " allows none of their combinations"));
      }
    }
  }

  /** For each position the others that share a factor with it, in ascending order. */
  public List<List<Integer>> neighbours() {
    List<TreeSet<Integer>> sets = new ArrayList<>();
    for (int position = 0; position < space.size(); position++) {
      sets.add(new TreeSet<>());
    }
    for (Factor factor : factors) {
      for (int one : factor.positions()) {
        sets.get(one).addAll(factor.positions());
      }
    }
    for (int position = 0; position < space.size(); position++) {
      sets.get(position).remove(position);
    }
    return sets.stream().map(List::copyOf).toList();
  }
}
