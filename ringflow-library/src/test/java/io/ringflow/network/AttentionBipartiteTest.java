package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Device;
import io.ringflow.core.Mask;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.spi.Conditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A bipartite attention network compared with plain Java, in which every position but the hidden
 * ones goes through every block, and the moved ones are picked at the very end.
 */
@ExtendWith(LeakCheck.class)
final class AttentionBipartiteTest {
  private static final int WIDTH = 8;
  private static final int OUTPUTS = 5;

  /** A network, its mask and its spaces. */
  record Case(Transformer network, Mask mask, Zoo.Setting setting) {}

  static Stream<Case> cases() {
    List<Case> found = new ArrayList<>();
    for (Zoo.Setting setting : Zoo.settings()) {
      int size = setting.size();
      for (int layers : new int[] {1, 2, 3}) {
        Transformer network = new Transformer(WIDTH, layers, layers == 2 ? 4 : 2, 12);
        for (Mask mask :
            List.of(
                Mask.even(size),
                Mask.odd(size),
                Mask.keep(size, position -> false),
                Mask.even(size).hiding(position -> position == 0))) {
          found.add(new Case(network, mask, setting));
        }
      }
    }
    return found.stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void queriesOfMovedPositionsEqualADenseNetwork(Case test) {
    Space space = test.setting.space();
    Space condition = test.setting.condition();
    int[][] all = space.enumerate();
    int[][] rows = new int[12][];
    Arrays.setAll(rows, i -> all[i * 11 % all.length]);
    int[][] choices = condition.enumerate();
    int[][] conditions = new int[rows.length][];
    Arrays.setAll(conditions, i -> choices[i % choices.length]);
    Conditioner conditioner = test.network.bipartite(space, test.mask, condition, OUTPUTS);
    try (Weights start = Zoo.wild(conditioner);
        Weights weights = start.copyIn(Precision.FLOAT64);
        Scope scope = Scope.inference()) {
      Dense dense = new Dense(test, weights);
      Symbols symbols = Symbols.of(Tensors.ids(rows, space.size(), Device.CPU));
      EvaluationContext context =
          new EvaluationContext(weights, Zoo.condition(condition, conditions));
      double[] found = Tensors.toDoubles(conditioner.logits(symbols, context));
      double[] wanted =
          IntStream.range(0, rows.length)
              .mapToObj(i -> dense.logits(rows[i], conditions[i]))
              .flatMapToDouble(Arrays::stream)
              .toArray();
      assertThat(found).containsExactly(wanted, within(1e-8));
    }
  }

  /** The logits of one row at a time, in plain Java. */
  private static final class Dense {
    private final Case test;
    private final Map<String, double[]> weights = new HashMap<>();

    Dense(Case test, Weights weights) {
      this.test = test;
      weights
          .parameters()
          .forEach(
              (name, parameter) ->
                  this.weights.put(
                      name.substring("layers.0.".length()),
                      Tensors.toDoubles(weights.get(parameter))));
    }

    double[] logits(int[] row, int[] conditions) {
      Space space = test.setting.space();
      List<double[]> sequence = new ArrayList<>();
      for (int i = 0; i < conditions.length; i++) {
        double[] symbol = embedded("given.table", test.setting.condition(), i, conditions[i]);
        sequence.add(sum(symbol, line("given.positions", i, WIDTH)));
      }
      List<Integer> seen = test.mask.seen();
      List<Integer> moved = test.mask.moved();
      for (int d : seen) {
        double[] symbol = embedded("embedding.table", space.select(seen), seen.indexOf(d), row[d]);
        sequence.add(sum(symbol, line("positions", d, WIDTH)));
      }
      for (int d : moved) {
        sequence.add(sum(weights.get("hidden"), line("positions", d, WIDTH)));
      }
      double[][] x = sequence.toArray(double[][]::new);
      for (int block = 0; block < test.network.layers(); block++) {
        x = block("blocks." + block + ".", x);
      }
      boolean shared = space.select(moved).isUniform();
      double[] result = new double[moved.size() * OUTPUTS];
      for (int m = 0; m < moved.size(); m++) {
        double[] hidden = normalized(x[conditions.length + seen.size() + m]);
        for (int output = 0; output < OUTPUTS; output++) {
          int unit = (shared ? 0 : m * OUTPUTS) + output;
          result[m * OUTPUTS + output] =
              dot(line("head.weight", unit, WIDTH), hidden) + weights.get("head.bias")[unit];
        }
      }
      return result;
    }

    private double[] embedded(String name, Space space, int index, int symbol) {
      int first = space.isUniform() ? 0 : index * space.maxCardinality();
      return line(name, first + symbol, WIDTH);
    }

    private double[][] block(String name, double[][] x) {
      double[][] sums = new double[x.length][];
      double[][][] parts = new double[x.length][3][];
      for (int t = 0; t < x.length; t++) {
        double[] all = linear(name + "attention.qkv", normalized(x[t]));
        for (int part = 0; part < 3; part++) {
          parts[t][part] = Arrays.copyOfRange(all, part * WIDTH, (part + 1) * WIDTH);
        }
      }
      for (int t = 0; t < x.length; t++) {
        double[] attended = attended(parts, t);
        double[] sum = sum(x[t], linear(name + "attention.project", attended));
        double[] units = linear(name + "perceptron.expand", normalized(sum));
        double[] bent = Arrays.stream(units).map(Dense::gelu).toArray();
        sums[t] = sum(sum, linear(name + "perceptron.contract", bent));
      }
      return sums;
    }

    private double[] attended(double[][][] parts, int query) {
      int size = WIDTH / test.network.heads();
      double[] result = new double[WIDTH];
      for (int from = 0; from < WIDTH; from += size) {
        double[] scores = new double[parts.length];
        for (int t = 0; t < parts.length; t++) {
          for (int i = from; i < from + size; i++) {
            scores[t] += parts[query][0][i] * parts[t][1][i] / Math.sqrt(size);
          }
        }
        double highest = Arrays.stream(scores).max().orElseThrow();
        double total = Arrays.stream(scores).map(score -> Math.exp(score - highest)).sum();
        for (int t = 0; t < parts.length; t++) {
          for (int i = from; i < from + size; i++) {
            result[i] += Math.exp(scores[t] - highest) / total * parts[t][2][i];
          }
        }
      }
      return result;
    }

    private double[] linear(String name, double[] x) {
      double[] result = weights.get(name + ".bias").clone();
      for (int unit = 0; unit < result.length; unit++) {
        result[unit] += dot(line(name + ".weight", unit, x.length), x);
      }
      return result;
    }

    private double[] line(String name, int index, int length) {
      return Arrays.copyOfRange(weights.get(name), index * length, (index + 1) * length);
    }

    private static double dot(double[] a, double[] b) {
      return IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).sum();
    }

    private static double[] sum(double[] a, double[] b) {
      return IntStream.range(0, a.length).mapToDouble(i -> a[i] + b[i]).toArray();
    }

    private static double[] normalized(double[] x) {
      double mean = Arrays.stream(x).average().orElseThrow();
      double variance = Arrays.stream(x).map(v -> (v - mean) * (v - mean)).average().orElseThrow();
      return Arrays.stream(x).map(v -> (v - mean) / Math.sqrt(variance + 1e-5)).toArray();
    }

    /** {@code x Phi(x)}; the error function by a series whose terms are all of one sign. */
    private static double gelu(double x) {
      double z = Math.abs(x) / Math.sqrt(2);
      if (z > 6) {
        return x > 0 ? x : 0; // all but 1e-16 of the distribution lies below
      }
      double term = z;
      double series = z;
      for (int n = 1; term > 1e-18 * series; n++) {
        term *= 2 * z * z / (2 * n + 1);
        series += term;
      }
      double erf = 2 / Math.sqrt(Math.PI) * Math.exp(-z * z) * series;
      return x * (1 + Math.signum(x) * erf) / 2;
    }
  }
}
