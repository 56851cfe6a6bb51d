package io.ringflow.infer;

import io.ringflow.core.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Small graphs for tests. */
final class RandomGraphs {
  private RandomGraphs() {}

  /**
   * A graph of a few positions of 2 or 3 symbols; some of its combinations are impossible, but not
   * all of its rows.
   */
  static FactorGraph of(int positions, double impossible, RandomGenerator random) {
    FactorGraph graph = any(positions, impossible, random);
    double[] weights = graph.logWeights(graph.space().enumerate());
    return LogSums.of(weights) == Double.NEGATIVE_INFINITY
        ? of(positions, impossible, random)
        : graph;
  }

  private static FactorGraph any(int positions, double impossible, RandomGenerator random) {
    Space space =
        new Space(IntStream.range(0, positions).map(i -> 2 + random.nextInt(2)).boxed().toList());
    List<Factor> factors = new ArrayList<>();
    for (int f = 0; f < positions + 2; f++) {
      int first = random.nextInt(positions);
      List<Integer> named =
          IntStream.rangeClosed(0, random.nextInt(Math.min(3, positions)))
              .map(i -> (first + i) % positions)
              .boxed()
              .toList();
      int size = named.stream().mapToInt(space::cardinality).reduce(1, (a, b) -> a * b);
      double[] values =
          random
              .doubles(size)
              .map(x -> x < impossible ? Double.NEGATIVE_INFINITY : 2 * x)
              .toArray();
      factors.add(new Factor(named, values));
    }
    return new FactorGraph(space, factors);
  }
}
