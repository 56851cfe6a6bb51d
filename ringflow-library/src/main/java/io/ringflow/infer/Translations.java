package io.ringflow.infer;

import io.ringflow.core.Torus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds the torus on which a graph is the same everywhere: one whose translations take every factor
 * to an equal one, as those of a periodic lattice with equal couplings do. The positions of such a
 * graph know as much of each other wherever they are.
 */
final class Translations {
  /** The most sides of a torus that is looked for. */
  private static final int MAX_SIDES = 3;

  private Translations() {}

  /** The torus with the fewest sides; empty where there is none, or a side shorter than 2. */
  static Optional<Torus> of(FactorGraph graph) {
    int size = graph.space().size();
    if (size < 2 || !graph.space().isUniform()) {
      return Optional.empty();
    }
    Map<Factor, Integer> factors = counted(graph.factors().stream());
    return IntStream.rangeClosed(1, MAX_SIDES)
        .boxed()
        .flatMap(sides -> toruses(size, sides))
        .filter(torus -> isInvariant(graph, factors, torus))
        .findFirst();
  }

  /** All of so many sides and positions. */
  private static Stream<Torus> toruses(int size, int sides) {
    return sides(size, sides).map(Torus::new);
  }

  private static Stream<List<Integer>> sides(int size, int count) {
    if (count == 1) {
      return size < 2 ? Stream.empty() : Stream.of(List.of(size));
    }
    return IntStream.rangeClosed(2, size / 2)
        .filter(side -> size % side == 0)
        .boxed()
        .flatMap(
            side ->
                sides(size / side, count - 1)
                    .map(
                        rest -> {
                          List<Integer> all = new ArrayList<>(List.of(side));
                          all.addAll(rest);
                          return all;
                        }));
  }

  /** Whether a step along each side takes every factor to an equal one. */
  private static boolean isInvariant(FactorGraph graph, Map<Factor, Integer> factors, Torus torus) {
    int stride = torus.size();
    for (int side : torus.sides()) {
      stride /= side;
      int step = stride;
      Stream<Factor> moved = graph.factors().stream().map(factor -> moved(factor, step, torus));
      if (!counted(moved).equals(factors)) {
        return false;
      }
    }
    return true;
  }

  private static Factor moved(Factor factor, int step, Torus torus) {
    return new Factor(
        factor.positions().stream().map(position -> torus.at(position, step)).toList(),
        factor.logValues());
  }

  /** How often each factor occurs, its positions in ascending order. */
  private static Map<Factor, Integer> counted(Stream<Factor> factors) {
    Map<Factor, Integer> counted = new HashMap<>();
    factors.forEach(factor -> counted.merge(sorted(factor), 1, Integer::sum));
    return counted;
  }

  /** The same function, of its positions in ascending order; all have as many symbols. */
  private static Factor sorted(Factor factor) {
    List<Integer> positions = factor.positions();
    List<Integer> sorted = positions.stream().sorted().toList();
    if (sorted.equals(positions)) {
      return factor;
    }
    double[] values = factor.logValues();
    int count = positions.size();
    int symbols = (int) Math.round(Math.pow(values.length, 1.0 / count));
    double[] result = new double[values.length];
    int[] digits = new int[count];
    for (int i = 0; i < values.length; i++) {
      int rest = i;
      for (int j = count - 1; j >= 0; j--) {
        digits[sorted.indexOf(positions.get(j))] = rest % symbols;
        rest /= symbols;
      }
      int to = 0;
      for (int digit : digits) {
        to = to * symbols + digit;
      }
      result[to] = values[i];
    }
    return new Factor(sorted, result);
  }
}
