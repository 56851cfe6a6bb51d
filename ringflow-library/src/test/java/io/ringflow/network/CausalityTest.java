package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Device;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Symbols that an output must not see change no bit of its logits. */
@ExtendWith(LeakCheck.class)
public final class CausalityTest {
  private static final int WIDTH = 5;

  /** A network on its spaces, in a precision. */
  public record Case(Network network, Zoo.Setting setting, Precision precision) {
    /** Numbers of logits: one for each symbol, and another. */
    List<Integer> widths() {
      int symbols = setting.space().maxCardinality();
      return symbols == WIDTH ? List.of(WIDTH) : List.of(WIDTH, symbols);
    }
  }

  static Stream<Case> cases() {
    List<Case> found = new ArrayList<>();
    for (Network network : Zoo.networks()) {
      for (Zoo.Setting setting : Zoo.settings()) {
        for (Precision precision : Precision.values()) {
          found.add(new Case(network, setting, precision));
        }
      }
    }
    return found.stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aCausalOutputIgnoresItsOwnAndLaterInputs(Case test) {
    Space space = test.setting.space();
    for (int width : test.widths()) {
      Conditioner conditioner =
          test.network.causal(space, Order.natural(space.size()), test.setting.condition(), width);
      int[][] rows = space.enumerate();
      double[][][] logits = logits(conditioner, rows, test, width);
      for (int t = 0; t < space.size(); t++) {
        double[][][] changed = logits(conditioner, withNextSymbol(rows, t, space), test, width);
        assertThat(upTo(t, changed)).isDeepEqualTo(upTo(t, logits));
      }
      // A network that saw nothing would pass too.
      double[][][] first = logits(conditioner, withNextSymbol(rows, 0, space), test, width);
      assertThat(Arrays.deepEquals(first, logits)).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aBipartiteNetworkIgnoresInputsItMustNotSee(Case test) {
    Space space = test.setting.space();
    int size = space.size();
    for (Mask mask :
        List.of(Mask.even(size), Mask.odd(size), Mask.even(size).hiding(d -> d == 0))) {
      for (int width : test.widths()) {
        Conditioner conditioner =
            test.network.bipartite(space, mask, test.setting.condition(), width);
        int[][] rows = space.enumerate();
        double[][][] logits = logits(conditioner, rows, test, width);
        for (int position = 0; position < size; position++) {
          int[][] next = withNextSymbol(rows, position, space);
          boolean ignored = Arrays.deepEquals(logits(conditioner, next, test, width), logits);
          if (!mask.sees(position)) {
            assertThat(ignored).isTrue();
          } else if (position == mask.seen().get(0) && space.cardinality(position) > 1) {
            assertThat(ignored).isFalse(); // a network that saw nothing would pass too
          }
        }
      }
    }
  }

  /** The rows with the next symbol, modulo the cardinality, at one position. */
  static int[][] withNextSymbol(int[][] rows, int position, Space space) {
    int[][] changed = Arrays.stream(rows).map(int[]::clone).toArray(int[][]::new);
    for (int[] row : changed) {
      row[position] = (row[position] + 1) % space.cardinality(position);
    }
    return changed;
  }

  private static double[][][] upTo(int last, double[][][] logits) {
    return Arrays.stream(logits)
        .map(outputs -> Arrays.copyOf(outputs, last + 1))
        .toArray(double[][][]::new);
  }

  private static double[][][] logits(Conditioner conditioner, int[][] rows, Case test, int width) {
    try (Weights start = Zoo.wild(conditioner);
        Weights weights = start.copyIn(test.precision);
        Scope scope = Scope.inference()) {
      Space condition = test.setting.condition();
      int[][] conditions = new int[rows.length][condition.size()];
      EvaluationContext context =
          new EvaluationContext(weights, Zoo.condition(condition, conditions));
      Symbols symbols = Symbols.of(Tensors.ids(rows, test.setting.size(), Device.CPU));
      double[] flat = Tensors.toDoubles(conditioner.logits(symbols, context));
      int outputs = flat.length / rows.length / width;
      double[][][] result = new double[rows.length][outputs][];
      for (int i = 0; i < rows.length * outputs; i++) {
        result[i / outputs][i % outputs] = Arrays.copyOfRange(flat, i * width, (i + 1) * width);
      }
      return result;
    }
  }

  /** The same weights read the same zeros, of which the second mask hides one more. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHiddenPositionIsNotReadAsSymbolZero(boolean attention) {
    Network network = attention ? new Transformer(8, 1, 2, 8) : new Lstm(4, 5, 1);
    var test =
        new Case(network, new Zoo.Setting(Space.uniform(3, 4), Space.NONE), Precision.FLOAT64);
    int[][] zeros = new int[1][3];
    double[] kept = lastOutput(new Mask("110"), zeros, test);
    double[] hidden = lastOutput(new Mask("100"), zeros, test);
    for (int i = 0; i < WIDTH; i++) {
      assertThat(Math.abs(kept[i] - hidden[i])).isGreaterThan(1e-6);
    }
  }

  private static double[] lastOutput(Mask mask, int[][] rows, Case test) {
    Conditioner conditioner = test.network.bipartite(test.setting.space(), mask, Space.NONE, WIDTH);
    double[][] outputs = logits(conditioner, rows, test, WIDTH)[0];
    return outputs[outputs.length - 1];
  }
}
