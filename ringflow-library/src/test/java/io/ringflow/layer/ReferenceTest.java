package io.ringflow.layer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Device;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Conditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Permutations;
import io.ringflow.testing.Zoo;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every layer against plain Java: logits are read out of an equal network as doubles, and all that
 * follows is done on ints, one symbol at a time.
 */
@Tag("slow")
@ExtendWith(LeakCheck.class)
final class ReferenceTest {
  static Stream<Zoo.Specimen> layers() {
    return Zoo.all()
        .filter(specimen -> specimen.architecture().layers().size() == 1)
        .filter(specimen -> !(specimen.architecture().layers().get(0) instanceof Chain));
  }

  @ParameterizedTest
  @MethodSource("layers")
  void movesEverySymbolAsPlainIntsDo(Zoo.Specimen specimen) {
    Space space = specimen.architecture().space();
    Space condition = specimen.architecture().condition();
    Layer layer = specimen.architecture().layers().get(0);
    int[][] rows = space.enumerate();
    int[][] choices = condition.enumerate();
    int[][] conditions = new int[rows.length][];
    Arrays.setAll(conditions, i -> choices[i % choices.length]);
    Bijection bijection = layer.on(space, condition);
    Space baseSpace = bijection.baseSpace(); // with as many rows
    int[][] baseRows = baseSpace.enumerate();
    try (Weights start = Zoo.wild(bijection);
        Weights weights = start.copyIn(Precision.FLOAT64);
        Reference reference = Reference.of(layer, space, condition, conditions);
        Scope scope = Scope.inference()) {
      Symbols data = Symbols.of(Tensors.ids(rows, space.size(), Device.CPU));
      Symbols base = Symbols.of(Tensors.ids(baseRows, baseSpace.size(), Device.CPU));
      EvaluationContext context =
          new EvaluationContext(weights, Zoo.condition(condition, conditions));
      assertThat(Tensors.toRows(bijection.inverse(data, context).ids()))
          .isDeepEqualTo(reference.inverse(rows));
      assertThat(Tensors.toRows(bijection.forward(base, context).ids()))
          .isDeepEqualTo(reference.forward(baseRows));
    }
  }

  /** One layer in plain Java. */
  private interface Reference extends AutoCloseable {
    static Reference of(Layer layer, Space space, Space condition, int[][] conditions) {
      return layer instanceof Pack pack
          ? new Packed(space, pack.size())
          : Networked.of(layer, space, condition, conditions);
    }

    int[][] inverse(int[][] data);

    int[][] forward(int[][] base);

    @Override
    default void close() {}
  }

  /** Numbers in mixed radix, read and written digit by digit. */
  private record Packed(Space space, int size) implements Reference {
    @Override
    public int[][] inverse(int[][] data) {
      return Arrays.stream(data).map(this::number).toArray(int[][]::new);
    }

    private int[] number(int[] digits) {
      int[] numbers = new int[digits.length / size];
      for (int d = 0; d < digits.length; d++) {
        numbers[d / size] = numbers[d / size] * space.cardinality(d) + digits[d];
      }
      return numbers;
    }

    @Override
    public int[][] forward(int[][] base) {
      return Arrays.stream(base).map(this::digits).toArray(int[][]::new);
    }

    private int[] digits(int[] numbers) {
      int[] left = numbers.clone();
      int[] digits = new int[space.size()];
      for (int d = digits.length - 1; d >= 0; d--) {
        digits[d] = left[d / size] % space.cardinality(d);
        left[d / size] /= space.cardinality(d);
      }
      return digits;
    }
  }

  /** A layer that asks a network, which is its only part that is not in plain Java. */
  private static final class Networked implements Reference {
    private final Space space;
    private final Conditioner conditioner;
    private final SymbolMap map;
    private final List<List<Integer>> steps; // positions that are moved together, in order
    private final List<Integer> seenAs; // the position that the network knows as 0, 1, …
    private final Space condition;
    private final int[][] conditions;
    private final Weights weights;

    private Networked(
        Space space,
        Conditioner conditioner,
        SymbolMap map,
        List<List<Integer>> steps,
        List<Integer> seenAs,
        Space condition,
        int[][] conditions) {
      this.space = space;
      this.conditioner = conditioner;
      this.map = map;
      this.steps = steps;
      this.seenAs = seenAs;
      this.condition = condition;
      this.conditions = conditions;
      try (Weights start = Zoo.wild(conditioner)) {
        this.weights = start.copyIn(Precision.FLOAT64);
      }
    }

    static Networked of(Layer layer, Space space, Space condition, int[][] conditions) {
      if (layer instanceof Bipartite bipartite) {
        SymbolMap map = bipartite.map();
        int width = map.width(space.maxCardinality());
        return new Networked(
            space,
            bipartite.network().bipartite(space, bipartite.mask(), condition, width),
            map,
            List.of(bipartite.mask().moved()),
            Order.natural(space.size()).positions(),
            condition,
            conditions);
      }
      var causal = (Autoregressive) layer;
      int width = causal.map().width(space.maxCardinality());
      List<Integer> positions = causal.order().positions();
      return new Networked(
          space,
          causal.network().causal(space, causal.order(), condition, width),
          causal.map(),
          positions.stream().map(List::of).toList(),
          positions,
          condition,
          conditions);
    }

    @Override
    public int[][] inverse(int[][] data) {
      int[][] base = copy(data);
      double[][][] logits = logits(data);
      int output = 0;
      for (List<Integer> step : steps) {
        for (int position : step) {
          for (int i = 0; i < data.length; i++) {
            int k = space.cardinality(position);
            base[i][position] = toBase(data[i][position], logits[i][output], k);
          }
          output++;
        }
      }
      return base;
    }

    @Override
    public int[][] forward(int[][] base) {
      int[][] data = copy(base);
      int output = 0;
      for (List<Integer> step : steps) {
        double[][][] logits = logits(data);
        for (int position : step) {
          for (int i = 0; i < data.length; i++) {
            int k = space.cardinality(position);
            data[i][position] = toData(base[i][position], logits[i][output], k);
          }
          output++;
        }
      }
      return data;
    }

    private int toBase(int symbol, double[] logits, int k) {
      if (map instanceof Sinkhorn) {
        return permutation(logits, k)[symbol];
      }
      if (map instanceof Permute) {
        return ranked(logits, k).indexOf(symbol);
      }
      if (map instanceof TopTwo) {
        int distance = Math.floorMod(symbol - likeliest(logits, k), k);
        return solve(scaleToRunnerUp(logits, k), distance, k);
      }
      return solve(scale(logits, k), Math.floorMod(symbol - shift(logits, k), k), k);
    }

    private int toData(int symbol, double[] logits, int k) {
      if (map instanceof Sinkhorn) {
        int[] images = permutation(logits, k);
        return IntStream.range(0, k).filter(i -> images[i] == symbol).findFirst().orElseThrow();
      }
      if (map instanceof Permute) {
        return ranked(logits, k).get(symbol);
      }
      if (map instanceof TopTwo) {
        return (scaleToRunnerUp(logits, k) * symbol + likeliest(logits, k)) % k;
      }
      return (scale(logits, k) * symbol + shift(logits, k)) % k;
    }

    private static int likeliest(double[] logits, int k) {
      return ranked(logits, k).get(0);
    }

    /** From the likeliest symbol to the next likeliest that a scale can reach. */
    private static int scaleToRunnerUp(double[] logits, int k) {
      int first = likeliest(logits, k);
      return ranked(logits, k).stream()
          .map(symbol -> Math.floorMod(symbol - first, k))
          .filter(
              distance -> BigInteger.valueOf(distance).gcd(BigInteger.valueOf(k)).intValue() == 1)
          .findFirst()
          .orElse(0); // modulo 1
    }

    private static int[][] copy(int[][] rows) {
      return Arrays.stream(rows).map(int[]::clone).toArray(int[][]::new);
    }

    /** The network's only part in this: {@code [row][output][logit]}. */
    private double[][][] logits(int[][] rows) {
      try (Scope scope = Scope.inference()) {
        int[][] inOrder =
            Arrays.stream(rows)
                .map(row -> seenAs.stream().mapToInt(position -> row[position]).toArray())
                .toArray(int[][]::new);
        Symbols symbols = Symbols.of(Tensors.ids(inOrder, space.size(), Device.CPU));
        double[] flat =
            Tensors.toDoubles(
                conditioner.logits(
                    symbols, new EvaluationContext(weights, Zoo.condition(condition, conditions))));
        int outputs = (int) steps.stream().mapToLong(List::size).sum();
        int width = flat.length / rows.length / outputs;
        double[][][] result = new double[rows.length][outputs][];
        for (int i = 0; i < rows.length * outputs; i++) {
          result[i / outputs][i % outputs] = Arrays.copyOfRange(flat, i * width, (i + 1) * width);
        }
        return result;
      }
    }

    /** The best of all there are, data to base. */
    private static int[] permutation(double[] logits, int k) {
      int width = (int) Math.sqrt(logits.length);
      double[][] wishes = new double[k][k];
      for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
          wishes[i][j] = logits[j * width + i];
        }
      }
      return Permutations.best(wishes);
    }

    /** The symbols from the largest logit to the smallest, picked one by one. */
    private static List<Integer> ranked(double[] logits, int k) {
      List<Integer> left = new ArrayList<>(Order.natural(k).positions());
      List<Integer> ranked = new ArrayList<>();
      while (!left.isEmpty()) {
        int best = left.get(0);
        for (int candidate : left) {
          best = logits[candidate] > logits[best] ? candidate : best;
        }
        ranked.add(best);
        left.remove((Integer) best);
      }
      return ranked;
    }

    private static int shift(double[] logits, int k) {
      int best = 0;
      for (int candidate = 1; candidate < k; candidate++) {
        if (logits[candidate] > logits[best]) {
          best = candidate;
        }
      }
      return best;
    }

    private int scale(double[] logits, int k) {
      if (!(map instanceof ShiftScale)) {
        return 1;
      }
      int first = logits.length / 2;
      int best = -1;
      for (int candidate = 0; candidate < k; candidate++) {
        if (isUnit(candidate, k)
            && (best < 0 || logits[first + candidate] > logits[first + best])) {
          best = candidate;
        }
      }
      return best;
    }

    private static boolean isUnit(int scale, int k) {
      for (int other = 0; other < k; other++) {
        if (scale * other % k == 1 % k) {
          return true;
        }
      }
      return false;
    }

    /** The only symbol that the scale takes to {@code target}. */
    private static int solve(int scale, int target, int k) {
      for (int symbol = 0; symbol < k; symbol++) {
        if (scale * symbol % k == target) {
          return symbol;
        }
      }
      throw new AssertionError("scale " + scale + " has no inverse modulo " + k);
    }

    @Override
    public void close() {
      weights.close();
    }
  }
}
