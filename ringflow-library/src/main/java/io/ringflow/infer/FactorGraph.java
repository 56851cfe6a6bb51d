package io.ringflow.infer;

import io.ringflow.core.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * A target whose log-weight is a sum of functions of a few positions each: lattices of spins,
 * Bayesian networks, random fields.
 *
 * <pre>
 *   log w(x) = sum over factors f of log f(x at f's positions)
 * </pre>
 *
 * <p>Cost: a row takes one lookup a factor.
 */
public final class FactorGraph implements Target {
  private final Space space;
  private final List<Factor> factors;
  private final int[][] positions; // of each factor
  private final int[][] strides; // of each factor's positions in its values

  /**
   * A graph.
   *
   * @throws IllegalArgumentException if a factor names a position that the space does not have, or
   *     has not as many values as its positions have combinations
   */
  public FactorGraph(Space space, List<Factor> factors) {
    this.space = space;
    this.factors = List.copyOf(factors);
    this.positions = new int[factors.size()][];
    this.strides = new int[factors.size()][];
    for (int f = 0; f < positions.length; f++) {
      positions[f] = factors.get(f).positions().stream().mapToInt(Integer::intValue).toArray();
      strides[f] = strides(f);
    }
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

  /** What the log-weight is the sum of. */
  public List<Factor> factors() {
    return factors;
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
   * This graph with every impossible combination made merely unlikely, so that a row which violates
   * fewer factors weighs more: to learn from where all rows at hand are impossible.
   *
   * @param penalty nats that a combination loses against the least likely possible one
   */
  FactorGraph softened(double penalty) {
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
