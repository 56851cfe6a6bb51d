package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ringflow.base.GroupBase;
import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.model.Architecture;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Causal networks: what each group of positions sees, all at once and step by step. */
@Tag("slow")
@ExtendWith(LeakCheck.class)
final class CausalConditionerTest {
  /** What a test does with a network and its weights. */
  interface Use {
    void of(CausalConditioner conditioner, Weights weights);
  }

  static void withWeights(CausalCase test, Use use) {
    CausalConditioner conditioner = test.conditioner();
    try (Weights start = Zoo.wild(conditioner);
        Weights weights = start.copyIn(test.precision());
        Scope scope = Scope.inference()) {
      use.of(conditioner, weights);
    }
  }

  /** Logits of rows in the groups' order, {@code [B, D, width]}. */
  static Tensor logits(
      CausalConditioner conditioner,
      int[][] rows,
      int[][] condition,
      CausalCase test,
      Weights weights) {
    EvaluationContext context =
        new EvaluationContext(weights, Zoo.condition(test.setting().condition(), condition));
    Symbols symbols = Symbols.of(Tensors.ids(rows, test.setting().size(), Device.CPU));
    return conditioner.logits(symbols, context);
  }

  /** The condition of zeros for some rows. */
  static int[][] zeros(int[][] rows, CausalCase test) {
    return new int[rows.length][test.setting().condition().size()];
  }

  /** Which outputs change, bit for bit, on any row, when the symbols at a place do. */
  private static boolean[] readers(
      CausalConditioner conditioner, int place, CausalCase test, Weights weights) {
    Space space = test.inOrder();
    int[][] rows = space.enumerate();
    int[][] condition = zeros(rows, test);
    try (Scope scope = Scope.inference()) {
      Tensor before = logits(conditioner, rows, condition, test, weights);
      Tensor after =
          logits(
              conditioner,
              CausalityTest.withNextSymbol(rows, place, space),
              condition,
              test,
              weights);
      boolean[] changed = new boolean[space.size()];
      for (int output = 0; output < changed.length; output++) {
        changed[output] = !after.select(1, output).equal(before.select(1, output));
      }
      return changed;
    }
  }

  @ParameterizedTest
  @MethodSource("io.ringflow.network.CausalCase#cases")
  void aGroupIgnoresItselfAndLaterOnes(CausalCase test) {
    int[] group = test.groups().inOrder();
    withWeights(
        test,
        (conditioner, weights) -> {
          for (int place = 0; place < group.length; place++) {
            boolean[] changed = readers(conditioner, place, test, weights);
            for (int output = 0; output < group.length; output++) {
              if (group[output] <= group[place]) {
                assertThat(changed[output]).as("output %d of symbol %d", output, place).isFalse();
              }
            }
          }
        });
  }

  /** A network that saw nothing would pass the test above. */
  @ParameterizedTest
  @MethodSource("io.ringflow.network.CausalCase#farSighted")
  void aGroupSeesAllBeforeIt(CausalCase test) {
    int[] group = test.groups().inOrder();
    withWeights(
        test,
        (conditioner, weights) -> {
          for (int place = 0; place < group.length; place++) {
            boolean several = test.inOrder().cardinality(place) > 1;
            boolean[] changed = readers(conditioner, place, test, weights);
            for (int output = 0; output < group.length; output++) {
              assertThat(changed[output])
                  .as("output %d of symbol %d", output, place)
                  .isEqualTo(several && group[output] > group[place]);
            }
          }
        });
  }

  @ParameterizedTest
  @MethodSource("io.ringflow.network.CausalCase#conditional")
  void everyGroupSeesTheCondition(CausalCase test) {
    int[][] rows = test.inOrder().enumerate();
    Space condition = test.setting().condition();
    withWeights(
        test,
        (conditioner, weights) -> {
          int[][] plain = zeros(rows, test);
          Tensor before = logits(conditioner, rows, plain, test, weights);
          for (int place = 0; place < condition.size(); place++) {
            int[][] other = CausalityTest.withNextSymbol(plain, place, condition);
            Tensor after = logits(conditioner, rows, other, test, weights);
            for (int output = 0; output < test.setting().size(); output++) {
              assertThat(after.select(1, output).equal(before.select(1, output)))
                  .as("output %d ignores condition %d", output, place)
                  .isFalse();
            }
          }
        });
  }

  @ParameterizedTest
  @MethodSource("io.ringflow.network.CausalCase#decoded")
  void stepByStepEqualsAllAtOnce(CausalCase test) {
    double tolerance = test.precision() == Precision.FLOAT64 ? 1e-10 : 2e-4;
    assertThat(largestDifference(test, false)).isLessThan(tolerance);
  }

  /** A decoder that is told another first symbol returns other logits: the test above can fail. */
  @ParameterizedTest
  @MethodSource("io.ringflow.network.CausalCase#attentive")
  void aWrongSymbolChangesTheLogits(CausalCase test) {
    assertThat(largestDifference(test, true)).isGreaterThan(1e-2);
  }

  private static double largestDifference(CausalCase test, boolean wrong) {
    Space space = test.inOrder();
    int[][] rows = eightRows(space);
    int[][] condition = eightRows(test.setting().condition());
    int[] starts = test.groups().starts();
    double[] largest = {0};
    withWeights(
        test,
        (conditioner, weights) -> {
          Tensor atOnce = logits(conditioner, rows, condition, test, weights);
          EvaluationContext context =
              new EvaluationContext(weights, Zoo.condition(test.setting().condition(), condition));
          int[][] told = wrong ? CausalityTest.withNextSymbol(rows, 0, space) : rows;
          Tensor ids = Tensors.ids(told, space.size(), Device.CPU);
          IncrementalDecoder decoder = conditioner.decoder(rows.length, context);
          for (int group = 0; group < test.groups().count(); group++) {
            try (Scope step = Scope.inference()) {
              int from = starts[group];
              int count = starts[group + 1] - from;
              Tensor logits = decoder.logits();
              assertThat(logits.shape()).containsExactly(rows.length, count, test.width());
              Tensor difference = logits.sub(atOnce.narrow(1, from, count)).abs().max();
              largest[0] = Math.max(largest[0], Tensors.scalar(difference));
              decoder.append(ids.narrow(1, from, count));
            }
          }
        });
    return largest[0];
  }

  /** Eight rows that differ. */
  private static int[][] eightRows(Space space) {
    int[][] rows = new int[8][space.size()];
    for (int i = 0; i < rows.length; i++) {
      for (int d = 0; d < space.size(); d++) {
        rows[i][d] = (i * 5 + d * d * 3 + i * d) % space.cardinality(d);
      }
    }
    return rows;
  }

  @Test
  void aRecurrentNetworkTakesOnePositionAtATime() {
    Space space = Space.uniform(4, 3);
    Network network = new Lstm(4, 5, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> network.causal(space, Groups.blocks(4, 2), Space.NONE, CausalCase.WIDTH))
        .withMessage(
            "an LSTM goes from one position to the next, and can't take groups of several: use a"
                + " Transformer or Made");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Architecture.of(space, new GroupBase(Groups.growing(4, 3), network)))
        .withMessageStartingWith("an LSTM goes from one position to the next");
    Groups singles = Groups.singles(Order.reversed(4));
    assertThat(Architecture.of(space, new GroupBase(singles, network)).space()).isEqualTo(space);
  }
}
