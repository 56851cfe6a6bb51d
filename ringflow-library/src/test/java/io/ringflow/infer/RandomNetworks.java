package io.ringflow.infer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Small graphs with random weights, some of them zero, and their text in the UAI format. */
final class RandomNetworks {
  /** Weights by factor, of which the graph has the logarithms. */
  record Weighted(FactorGraph graph, List<double[]> weights) {
    String uai(String type) {
      var text = new StringBuilder(type + "\n" + graph.variables().size() + "\n");
      graph.space().cardinalities().forEach(count -> text.append(count).append(' '));
      text.append("\n" + graph.factors().size() + "\n");
      for (Factor factor : graph.factors()) {
        text.append(factor.positions().size());
        factor.positions().forEach(position -> text.append(' ').append(position));
        text.append('\n');
      }
      for (double[] values : weights) {
        text.append("\n" + values.length + "\n");
        Arrays.stream(values).forEach(value -> text.append(' ').append(value));
      }
      return text.append('\n').toString();
    }
  }

  private RandomNetworks() {}

  /** Of 1 to 5 variables, whose names are their numbers. */
  static Weighted of(long seed) {
    var random = new SplittableRandom(seed);
    int size = 1 + random.nextInt(5);
    List<Integer> cardinalities = random.ints(size, 1, 5).boxed().toList();
    List<Factor> factors = new ArrayList<>();
    List<double[]> weights = new ArrayList<>();
    for (int f = random.nextInt(7); f > 0; f--) {
      List<Integer> positions = new ArrayList<>(IntStream.range(0, size).boxed().toList());
      Collections.shuffle(positions, new Random(random.nextLong()));
      positions = positions.subList(0, random.nextInt(Math.min(size, 3) + 1));
      int values = positions.stream().map(cardinalities::get).reduce(1, (a, b) -> a * b);
      double[] table =
          random
              .doubles(values)
              .map(value -> random.nextInt(5) == 0 ? 0 : Math.scalb(value, random.nextInt(-9, 9)))
              .toArray();
      weights.add(table);
      factors.add(new Factor(positions, Arrays.stream(table).map(Math::log).toArray()));
    }
    return new Weighted(
        new FactorGraph(Variable.numbered(cardinalities), factors), List.copyOf(weights));
  }
}
